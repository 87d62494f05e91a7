"""The beats of a worker, at its end."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from workers import beats
from workers.transport import application


class Pool:
    """A pool without processes, as Celery's is once it has been stopped."""

    def __init__(self, *, active: bool) -> None:
        self.active = active

    @property
    def num_processes(self) -> int:
        raise AttributeError("'NoneType' object has no attribute '_processes'")


class Consumer:
    """What a pulse knows of its worker."""

    def __init__(self, *, active: bool) -> None:
        self.pool = Pool(active=active)


class SleptError(Exception):
    """The pulse waits for its next beat."""


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(seconds: float) -> None:
        raise SleptError

    monkeypatch.setattr(beats.time, "sleep", sleep)


def pulse(*, active: bool) -> beats.Pulse:
    return beats.Pulse(application("play", "redis://nobody@localhost:1"), Consumer(active=active), "bubblewrap")


def test_they_end_with_the_pool_of_a_worker_that_stops() -> None:
    with capture_logs() as logs:
        pulse(active=False).run()
    assert [(line["event"], line["log_level"]) for line in logs] == [("beats_ended", "info")]


def test_a_beat_that_fails_is_an_error_and_the_next_one_is_tried() -> None:
    with capture_logs() as logs, pytest.raises(SleptError):
        pulse(active=True).run()
    assert [(line["event"], line["log_level"]) for line in logs] == [("beat_failed", "error")]
