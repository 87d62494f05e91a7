"""The servers that `make test` starts for the tests start and stop."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from deploy import testing
from deploy.servers import ServerFailed, await_server, postgres_possible, postgres_running, unmount_below
from tests.deploy.arena import processes_left


def test_postgres_answers_and_ends_with_its_block(tmp_path_factory: pytest.TempPathFactory) -> None:
    if not postgres_possible():
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    folder = tmp_path_factory.mktemp("servers")
    for parent in (folder, *folder.parents[:-2]):
        parent.chmod(parent.stat().st_mode | 0o011)  # the database's account must be able to reach it
    with postgres_running(folder / "p") as url, psycopg.connect(url) as connection:
        assert connection.execute("select 1").fetchone() == (1,)
    assert processes_left(folder) == []  # pg_ctl waits until the server removes its pid file, shortly before it ends
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)


def test_only_mounts_of_the_server_are_removed(tmp_path: Path, tiny_disk: Path) -> None:
    folder = tmp_path / "d"
    for place in (folder / "root", folder / "root" / "merged"):  # nested mounts
        place.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=True)
    unmount_below(folder)
    assert [place for place in (folder / "root", folder / "root" / "merged", tiny_disk) if place.is_mount()] == [
        tiny_disk
    ]


def test_a_server_that_ends_at_once_is_named() -> None:
    with subprocess.Popen(["false"]) as process, pytest.raises(ServerFailed, match="thing did not start"):
        await_server("thing", process, lambda: False)


def test_a_failed_check_stops_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(testing.CheckFailed, match="the stars"):
        testing.check("the stars", [sys.executable, "-c", "print('seen'); exit(3)"], {})
    assert "seen" in capfd.readouterr().out


def test_checks_run_without_variables_of_a_real_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://somebody@example/real")
    testing.check("environment", [sys.executable, "-c", "import os; assert 'DATABASE_URL' not in os.environ"], {})


def test_logs_of_servers_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "postgres.log").write_text("\n".join(f"line {number}" for number in range(100)))
    testing.logs_show(tmp_path)
    shown = capsys.readouterr().out
    assert "-- postgres.log" in shown
    assert "line 99" in shown
    assert "line 10\n" not in shown
