"""The beats of a worker: when it ends because it receives nothing, and when its beats end."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from kombu.exceptions import OperationalError
from structlog.testing import capture_logs

from deploy.broker import free_port
from wire.transport import application
from workers import beats
from workers.self_ping import INTERVALS_MAX


class Pool:
    """A pool without processes, as Celery's is once it has been stopped."""

    def __init__(self, *, active: bool) -> None:
        self.active = active

    @property
    def num_processes(self) -> int:
        raise AttributeError("'NoneType' object has no attribute '_processes'")


class Consumer:
    """The part of Celery's consumer that the sender of beats uses."""

    def __init__(self, *, active: bool) -> None:
        self.pool = Pool(active=active)


class SleptError(Exception):
    """The sender waits for its next beat."""


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(seconds: float) -> None:
        raise SleptError

    monkeypatch.setattr(beats.time, "sleep", sleep)


def sender(*, active: bool) -> beats.BeatSender:
    return beats.BeatSender(application("play", "redis://nobody@localhost:1"), Consumer(active=active), "bubblewrap")


def test_beats_end_with_the_pool_of_a_worker_that_stops() -> None:
    with capture_logs() as logs:
        sender(active=False).run()
    assert [(line["event"], line["log_level"]) for line in logs] == [("beats_ended", "info")]


def test_a_beat_that_fails_is_an_error_and_the_next_one_is_tried() -> None:
    with capture_logs() as logs, pytest.raises(SleptError):
        sender(active=True).run()
    assert [(line["event"], line["log_level"]) for line in logs] == [("beat_failed", "error")]


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the reasons for which the worker would end, instead of ending."""
    sentences: list[str] = []
    monkeypatch.setattr(beats.BeatSender, "_end", lambda sender, sentence: sentences.append(sentence))
    return sentences


def idle(broker_url: str) -> beats.BeatSender:
    """Return the sender of an idle worker whose pings nobody receives."""
    app = application("play", broker_url)
    app.conf.update(node_name="play@here", canary_ms=1.0, job_queues=["play"])
    return beats.BeatSender(app, SimpleNamespace(pool=SimpleNamespace(num_processes=1)), "bubblewrap")


def test_a_worker_without_its_own_pings_is_unhealthy_and_ends_soon(
    broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: list[str]
) -> None:
    file = tmp_path / "alive"
    monkeypatch.setenv("HEALTH_FILE", str(file))
    sender = idle(broker_url)
    sender.beat_once()
    file.unlink()
    for _ in range(INTERVALS_MAX):
        assert ends == []
        sender.beat_once()
    assert ends == [beats._NOT_RECEIVING]
    assert not file.exists()


def test_without_a_broker_no_worker_counts_as_unreachable(monkeypatch: pytest.MonkeyPatch, ends: list[str]) -> None:
    """Otherwise it would end, with the matches that it plays, whenever the broker is restarted."""

    def fails(*message: object, **how: object) -> None:
        raise OperationalError("Connection refused.")

    sender = idle(f"redis://127.0.0.1:{free_port()}")
    monkeypatch.setattr(sender._app, "send_task", fails)  # fails at once, where a real send would be tried for a second
    for _ in range(2 * INTERVALS_MAX):
        sender.beat_once()
    assert ends == []
