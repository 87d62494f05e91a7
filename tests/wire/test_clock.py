"""A machine whose clock differs from the broker's."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from celery import Celery

from deploy.broker import Broker, free_port
from deploy.processes import CELERY
from tests.workers.conftest import app
from tests.workers.processes import ROOT, worker_environment
from tests.workers.test_worker_process import next_message
from wire.clock import clock_fault
from wire.transport import CLOCKS_APART_SECONDS

__all__ = ["app"]


@pytest.mark.parametrize(
    ("ahead_seconds", "words"),
    [(CLOCKS_APART_SECONDS + 60, "is 11 minutes ahead of"), (-CLOCKS_APART_SECONDS - 60, "is 11 minutes behind")],
)
def test_a_clock_that_would_lose_every_match_is_reported(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, ahead_seconds: int, words: str
) -> None:
    now = time.time()
    monkeypatch.setattr("wire.clock.time.time", lambda: now + ahead_seconds)
    assert words in clock_fault(broker.player_url)


def test_a_right_clock_is_no_fault_and_a_broker_that_is_away_is_waited_for_elsewhere(broker: Broker) -> None:
    assert clock_fault(broker.player_url) == ""
    assert clock_fault(f"redis://127.0.0.1:{free_port()}/0") == ""


JUMPING_CLOCK = """
import sys, time
from pathlib import Path
from types import SimpleNamespace
from wire import clock
clock.time = SimpleNamespace(time=lambda: time.time() + 3600 * Path("jump").exists())
from celery.__main__ import main
sys.exit(main())
"""


def test_a_worker_whose_clock_jumps_ends_and_does_not_start_again(
    tmp_path: Path, broker: Broker, app: Celery, bubblewrap: str
) -> None:
    argv = [sys.executable, "-c", JUMPING_CLOCK, "-A", "workers.app", *CELERY, "-Q", "play,try,build", "-c", "1"]
    env = worker_environment(broker.player_url, tmp_path) | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(argv, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True) as worker:
        while next_message(app)[1].get("canary_ms") is None:  # it plays
            pass
        (tmp_path / "jump").touch()
        _, told = worker.communicate(timeout=60)
    assert worker.returncode == os.EX_TEMPFAIL
    assert "The clock of this machine is 60 minutes ahead of the broker's" in told
    again = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert again.returncode == 1
    assert "This worker does not start. The clock of this machine is 60 minutes ahead" in again.stderr
    while not (refusal := next_message(app)[1].get("self_test")):
        pass
    assert refusal.startswith("The clock of this machine")
