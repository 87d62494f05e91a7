"""The languages are tested by a separate process, which ends with its worker."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest
from celery import Celery

import sandbox
from deploy.broker import Broker
from tests.processes import words_of
from tests.sandbox.programs import owners_may_die
from tests.waiting import wait_until
from tests.workers.processes import PlayingWorker, playing_worker, worker_environment
from tests.workers.test_worker_process import next_message
from wire.jobs import LANGUAGES_TASK
from workers.toolchain_report import languages_announce


def announcer(worker: PlayingWorker) -> psutil.Process:
    def found() -> list[psutil.Process]:
        children = psutil.Process(worker.process.pid).children()
        return [child for child in children if "workers.toolchain_report" in words_of(child)]

    wait_until(lambda: bool(found()), worker.log.read_text)
    return found()[0]


def test_working_languages_are_reported_to_site_and_worker(
    tmp_path: Path, broker: Broker, app: Celery, bubblewrap: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in worker_environment(broker.player_url, tmp_path).items():
        monkeypatch.setenv(name, value)
    known: list[str] = []
    languages_announce("tester", known)
    assert known == ["python"]
    task, body = next_message(app)
    assert (task, body["worker"]) == (LANGUAGES_TASK, "tester")


def test_it_ends_with_its_worker(tmp_path: Path, broker: Broker, bubblewrap: str) -> None:
    with owners_may_die():
        with playing_worker(broker.player_url, tmp_path, LANGUAGES="") as worker:
            process = announcer(worker)
            worker.kill()
            assert psutil.wait_procs([process], timeout=20)[1] == []
        sandbox.backend("bubblewrap")  # the next start removes what they have left
