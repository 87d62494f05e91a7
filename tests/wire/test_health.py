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


@pytest.mark.parametrize("abstract", [False, True])
def test_systemds_watchdog_is_notified_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, abstract: bool) -> None:
    name = f"banzuke-test-{os.getpid()}" if abstract else str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{name}" if abstract else name)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}" if abstract else name)
        health_touch()
        assert systemd.recv(100) == b"WATCHDOG=1"


def test_work_that_was_done_lately_is_health(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "alive"
    monkeypatch.delenv("HEALTH_FILE", raising=False)
    monkeypatch.chdir(tmp_path)
    health_touch()
    assert list(tmp_path.iterdir()) == [], "nobody has asked for it"
    monkeypatch.setenv("HEALTH_FILE", str(file))
    assert main([]) == 1
    assert "Nothing has been done yet" in capsys.readouterr().out
    health_touch()
    assert main([]) == 0
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


def test_a_worker_is_healthy_while_it_receives_its_pings_and_not_when_it_is_stopped(
    bubblewrap: str, broker: Broker, broker_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "alive"

    def is_healthy() -> bool:
        return main([str(file)]) == 0

    with playing_worker(broker.player_url, tmp_path, HEALTH_FILE=str(file)) as worker:
        wait_until(is_healthy, lambda: "nobody has touched it")
        psutil.Process(worker.process.pid).suspend()
        file.unlink(missing_ok=True)
        assert not is_healthy()
        psutil.Process(worker.process.pid).resume()
        wait_until(is_healthy, lambda: "nobody has touched it")
