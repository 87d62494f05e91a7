"""The log of a playing worker: one JSON object per line, with match and attempt on every line about them."""

from __future__ import annotations

import json
from pathlib import Path

from celery import Celery

from deploy.broker import Broker
from jobs.sending import jobs_send
from tests.workers.conftest import GOOD_BOT, FileSite, play_job
from tests.workers.processes import playing_worker
from tests.workers.test_worker_process import next_report
from wire.jobs import AGAIN_MAX, MATCH_RESULT_TASK, PLAY_TASK


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
    lines = [json.loads(line) for line in (brace + log).splitlines()]
    faults = [line for line in lines if line["event"] == "platform_fault"]
    assert [(line["match"], line["attempt"]) for line in faults] == [(7, AGAIN_MAX + 1)]
    assert not any("match" in line for line in lines if line["event"] == "languages_announced")
