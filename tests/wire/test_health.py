"""Health checks by work that was done, not by answers to a ping."""

from __future__ import annotations

import os
import socket
import time
from pathlib import Path

import psutil
import pytest

from deploy.broker import Broker
from tests.waiting import wait_until
from tests.workers.processes import playing_worker
from wire.health import health_touch, main
from workers.self_ping import SelfPingMonitor


def await_health(file: Path) -> None:
    """Poll until the file is touched, since nothing notifies of it."""
    wait_until(lambda: main([str(file)]) == 0, lambda: "nobody has touched it")


def test_work_that_was_just_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEALTH_FILE", str(tmp_path / "alive"))
    health_touch()
    assert main([]) == 0


def test_nothing_is_touched_unless_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEALTH_FILE", raising=False)
    monkeypatch.chdir(tmp_path)
    health_touch()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("abstract", [False, True])
def test_systemds_watchdog_is_notified_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abstract: bool) -> None:
    name = f"banzuke-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{name}" if abstract else name)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}" if abstract else name)
        health_touch()
        assert systemd.recv(100) == b"WATCHDOG=1"


def test_nothing_done_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "alive")]) == 1
    assert "Nothing has been done yet" in capsys.readouterr().out


def test_nothing_done_for_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "alive"
    file.touch()
    long_ago = time.time() - 100
    os.utime(file, (long_ago, long_ago))
    assert main([str(file)]) == 1
    assert "for 100 seconds" in capsys.readouterr().out
    assert main([str(file), "--seconds", "200"]) == 0


def test_the_file_has_to_be_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("HEALTH_FILE", raising=False)
    with pytest.raises(SystemExit):
        main([])
    assert "set HEALTH_FILE" in capsys.readouterr().err


def test_a_missing_ping_is_noticed_before_the_worker_counts_as_unreachable() -> None:
    monitor = SelfPingMonitor()
    monitor.is_unreachable(received=1, expected=True)
    assert monitor.is_receiving
    monitor.is_unreachable(received=1, expected=True)
    assert not monitor.is_receiving


def test_a_worker_is_healthy_while_it_receives_its_pings_and_not_when_it_is_stopped(
    bubblewrap: str, broker: Broker, broker_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "alive"
    with playing_worker(broker.player_url, tmp_path, HEALTH_FILE=str(file)) as worker:
        await_health(file)
        psutil.Process(worker.process.pid).suspend()
        file.unlink(missing_ok=True)
        assert main([str(file)]) == 1
        psutil.Process(worker.process.pid).resume()
        await_health(file)
