"""The beats of a worker: when it ends because it receives nothing, and when its beats end."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from kombu.exceptions import OperationalError
from structlog.testing import capture_logs

from deploy.broker import free_port
from wire.transport import application
from workers import beats
from workers.self_ping import INTERVALS_MAX, SelfPingMonitor


class SleptError(Exception):
    """The sender waits for its next beat."""


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beats.time, "sleep", Mock(side_effect=SleptError))


def test_beats_end_with_the_pool_and_not_with_an_error() -> None:
    app = application("play", "redis://nobody@localhost:1")
    for active in (False, True):  # without num_processes, as once Celery has stopped its pool
        sender = beats.BeatSender(app, SimpleNamespace(pool=SimpleNamespace(active=active)), "bubblewrap")
        with capture_logs() as logs, pytest.raises(SleptError) if active else nullcontext():
            sender.run()
        assert [line["log_level"] for line in logs] == ["error" if active else "info"]


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
    sender = idle(f"redis://127.0.0.1:{free_port()}")
    # It fails at once, where a real send would be tried for a second.
    monkeypatch.setattr(sender._app, "send_task", Mock(side_effect=OperationalError("Connection refused.")))
    for _ in range(2 * INTERVALS_MAX):
        sender.beat_once()
    assert ends == []


def test_a_ping_that_came_or_was_not_expected_restarts_the_count() -> None:
    monitor = SelfPingMonitor()
    for received, expected in ((0, True), (1, True), (1, False), (1, True)):
        told = [monitor.is_unreachable(received=received, expected=expected) for _ in range(INTERVALS_MAX - 1)]
        assert not any(told)
