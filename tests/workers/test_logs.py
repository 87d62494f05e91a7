"""Logs in JSON: one object per line, with match and attempt on every line about them, in every process."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest
from celery import Celery

from deploy.broker import Broker
from jobs.sending import jobs_send
from tests.workers.conftest import GOOD_BOT, FileSite, play_job
from tests.workers.processes import ROOT, playing_worker
from tests.workers.test_worker_process import next_report
from wire.jobs import AGAIN_MAX, MATCH_RESULT_TASK, PLAY_TASK
from wire.logs import logging_config

PROGRAM = """
import json, logging.config, structlog
from wire.jobs import MATCH_RESULT_TASK, MatchReport
from wire.logs import logging_config
from wire.transport import application, receives
logging.config.dictConfig(logging_config(as_json=True))
app = application("test", "redis://127.0.0.1:9/0")
log = structlog.get_logger()

@receives(app, MATCH_RESULT_TASK, MatchReport)
def handle(report):
    log.info("ours")
    logging.getLogger("library").warning("a library's")
    raise RuntimeError("unexpected")

report = {"match_id": 7, "attempt": 2, "lease_token": "a" * 32, "worker": "w", "turns": 0, "seats": [],
          "replay_digest": None}
app.tasks[MATCH_RESULT_TASK].apply(args=[json.dumps(report).encode()])
log.info("something else")
"""


def lines_of(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


def test_while_a_message_is_handled_every_line_says_what_it_is_about() -> None:
    shown = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True).stderr
    *about, other = lines_of(shown)
    assert [line["logger"] for line in about] == ["__main__", "library", "celery.app.trace"]
    assert {(line["match"], line["attempt"]) for line in about} == {(7, 2)}
    assert other["event"] == "something else"
    assert not {"match", "attempt"} & set(other)


@pytest.mark.parametrize(
    ("status", "line", "is_told"),
    [(400, "Bad request", False), (500, "Bad request", True), (503, "Bad request: no slots", False)],
)
def test_a_request_that_is_refused_or_meets_what_is_away_leaves_no_traceback(
    status: int, line: str, is_told: bool
) -> None:
    error = (OSError, OSError("no slots"), None)
    record = logging.LogRecord("django.request", logging.ERROR, "", 1, "Bad %s", ("request",), error)
    record.status_code = status
    (told,) = logging_config(as_json=True)["handlers"]["stderr"]["filters"]
    assert told(record)
    assert record.getMessage() == line
    assert bool(record.exc_info) == is_told


def test_a_playing_workers_lines_about_a_match_carry_match_and_attempt(
    bubblewrap: str, broker: Broker, app: Celery, site: FileSite, tmp_path: Path
) -> None:
    job = play_job(site, GOOD_BOT, GOOD_BOT)
    site.files.clear()  # the bots cannot be downloaded, which is logged as a platform fault
    with playing_worker(broker.player_url, tmp_path, LOG_FORMAT="json") as worker:
        jobs_send(app, PLAY_TASK, [job])
        while next_report(app)[0] != MATCH_RESULT_TASK:
            pass
    _banner, brace, log = worker.log.read_text().partition('{"')  # Celery's, which units and compose file switch off
    lines = lines_of(brace + log)
    faults = [line for line in lines if line["event"] == "platform_fault"]
    assert [(line["match"], line["attempt"]) for line in faults] == [(7, AGAIN_MAX + 1)]
    assert not any("match" in line for line in lines if line["event"] == "languages_announced")


HOSTILE = """
import json, logging.config, structlog
from wire.logs import logging_config
logging.config.dictConfig(logging_config(as_json=False))
structlog.get_logger().info("ours", name="a\\x1b]0;title\\x07b", reversed="a\\u202eb", half="\\ud800")
try:
    raise ValueError("\\x1b]52;c;aGk=\\x07")
except ValueError:
    logging.getLogger("library").exception("a library's \\x1b[2J")
"""


def test_no_log_line_controls_the_terminal() -> None:
    """The attack: names with escape sequences set the window's title or clipboard, or reverse the text."""
    shown = subprocess.run([sys.executable, "-c", HOSTILE], cwd=ROOT, capture_output=True, text=True, check=True).stderr
    assert "\\x1b]0;title" in shown
    assert "\\x1b]52" in shown
    assert [sign for sign in shown if not sign.isprintable() and sign != "\n"] == []
    assert "Logging error" not in shown
