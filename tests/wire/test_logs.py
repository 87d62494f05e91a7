"""The format of log lines: JSON with match and attempt on every line about them; columns that control no terminal."""

from __future__ import annotations

import json
import logging
import subprocess
import sys

import pytest

from tests.workers.processes import ROOT
from wire.logs import is_json, logging_config, without_offers

PROGRAM = """
import json, logging.config, structlog
from wire.jobs import MATCH_RESULT_TASK, MatchReport
from wire.logs import is_json, logging_config, without_offers
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


HOSTILE = """
import json, logging.config, structlog
from wire.logs import is_json, logging_config, without_offers
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


@pytest.mark.parametrize(("name", "as_json"), [("json", True), ("columns", False)])
def test_the_format_is_one_of_two(name: str, as_json: bool) -> None:
    assert is_json(name) is as_json
    with pytest.raises(ValueError, match=r"^yaml is none of json, columns\.$"):
        is_json("yaml")


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Unsupported upgrade request.", False),
        ("No supported WebSocket library detected. Please use ..", False),
        ("Invalid HTTP request received.", True),
    ],
)
def test_offers_of_clients_to_upgrade_leave_no_line(line: str, kept: bool) -> None:
    assert without_offers(logging.LogRecord("uvicorn.error", logging.WARNING, "", 1, line, (), None)) is kept
