"""A whole arena as `make run` starts it: its first start, the demonstration, its end, its second start."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psutil
import pytest
import requests

from deploy.broker import free_port
from deploy.settings import ROOT
from deploy.supervisor import RESTARTS_MAX
from sandbox.docker import LABEL
from sandbox.leftovers import owner_lives
from tests.deploy.arena import OPEN, Arena, arena_running, errors_in, groups_left, processes_left, processes_of
from tests.processes import words_of
from tests.waiting import wait_until

pytestmark = [pytest.mark.arena, pytest.mark.timeout(1_200)]

MEMORY_MIB_MAX = 700
"""The limit for the whole arena, with shared memory divided among the processes that share it."""
PASSWORD = "Administrator: admin, password: "


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, bubblewrap: str) -> Path:
    """Return the folder of an arena that tests end and kill repeatedly; each start finds what the last one has left."""
    return tmp_path_factory.mktemp("mortal") / "data"


@pytest.fixture(scope="module")
def port() -> int:
    """Return the port of all starts: jobs of the last start, which are still in the broker, name the site by it."""
    return free_port()


@pytest.fixture
def arena(data: Path, port: int) -> Iterator[Arena]:
    """Yield a running arena."""
    with arena_running(data, port) as running:
        running.wait_for(OPEN)
        yield running


def numbers_of(data: Path) -> set[str]:
    """Return the numbers of the processes of a running arena."""
    return {str(process.pid) for process in processes_of(data)}


def left_behind(data: Path, numbers: set[str]) -> list[str]:
    """Return the processes, containers and control groups that an ended arena has left behind.

    ``numbers`` are those of the arena's processes, with which the names of their containers and groups begin.
    """
    left = [*containers(), *(Path(group).name for group in groups_left())]
    return [*processes_left(data), *(name for name in left if name.partition(".")[0] in numbers)]


def containers() -> list[str]:
    """Return the containers of workers that have ended, each with its owner's name first."""
    if "DOCKER_HOST" not in os.environ:
        return []
    command = ["docker", "ps", "-a", "--filter", f"label={LABEL}", "--format", f'{{{{.Label "{LABEL}"}}}} {{{{.ID}}}}']
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in lines if not owner_lives(line.split()[0])]


def child(arena: Arena, argument: str) -> psutil.Process:
    """Return the process of a running arena with this program or argument in its command line."""
    found: list[psutil.Process] = []

    def is_there() -> bool:
        for process in psutil.Process(arena.process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):  # the process has just ended
                if argument in [*words_of(process), process.name()]:
                    found.append(process)
        return bool(found)

    wait_until(is_there, lambda: arena.output)  # a process that was just started is a shell for a moment
    return found[0]


def test_from_the_first_start_to_the_second(data: Path, port: int) -> None:
    with arena_running(data, port) as arena:
        arena.wait_for(OPEN)
        assert arena.output.count(PASSWORD) == 1
        demo = [sys.executable, "manage.py", "demo", "--url", arena.url]
        shown = subprocess.run(demo, cwd=ROOT, env={**os.environ, "DATA": str(data)}, capture_output=True, text=True)
        assert shown.returncode == 0, f"{shown.stdout}{shown.stderr}\n{arena.output}"
        assert "Elo points" in shown.stdout
        assert errors_in(arena) == []
        known = child(arena, "workers.app").environ()
        assert {"SECRET_KEY", "DATABASE_URL", "DATA", "DJANGO_SETTINGS_MODULE"}.isdisjoint(known)
        assert "://player:" in known["REDIS_URL"]
        assert sum(process.memory_full_info().pss for process in processes_of(data)) <= MEMORY_MIB_MAX * 2**20
        numbers = numbers_of(data)
        assert arena.end(signal.SIGINT) == 0, arena.output
    assert left_behind(data, numbers) == []
    with arena_running(data, port) as again:
        again.wait_for(OPEN)
        assert PASSWORD not in again.output
        bot_name = shown.stdout.rpartition("Demo ")[2].partition(":")[0]
        assert f"Demo {bot_name}" in requests.get(f"{again.url}/games/kakomimasu/", timeout=30).text
        numbers = numbers_of(data)
        assert again.end(signal.SIGTERM) == 0, again.output
    assert left_behind(data, numbers) == []


PARTS = {
    "play": "play,try,build",
    "tables": "table@%h",
    "web": "arena.asgi:application",
    "beat": "beat",
    "manage": "report,manage",
    "broker": "valkey-server",
}
"""By process: an argument of its command line, or its program."""


@pytest.mark.test_all
def test_killed_parts_are_restarted_and_end_with_a_killed_supervisor(arena: Arena) -> None:
    await_match_after(arena, newest_match(arena, "finished"))
    for part, word in PARTS.items():
        before = newest_match(arena)
        starts = arena.output.count(f"{part} started (pid=")
        child(arena, word).kill()
        arena.wait_for(f"{part} started (pid=", times=starts + 1)
        await_match_after(arena, before)
        assert child(arena, word).is_running()
    assert arena.output.count("was ended by signal 9 (Killed), and is started again.") == len(PARTS)
    arena.process.kill()
    arena.wait()
    assert processes_left(arena.data, seconds=20) == []


def newest_match(arena: Arena, state: str = "%") -> int:
    """Return the number of the newest match in a state; read from the database, since the site may be restarting."""
    with closing(sqlite3.connect(f"file:{arena.data}/db.sqlite3?mode=ro", uri=True)) as database:
        row = database.execute("SELECT COALESCE(MAX(id), 0) FROM matches_match WHERE state LIKE ?", [state]).fetchone()
    return int(row[0])


def await_match_after(arena: Arena, number: int) -> None:
    """Wait until a match with a higher number has finished."""
    wait_until(lambda: newest_match(arena, "finished") > number, lambda: arena.output, seconds=180)


@pytest.mark.test_all
def test_a_part_that_keeps_dying_ends_the_arena_and_is_named(arena: Arena) -> None:
    numbers = numbers_of(arena.data)
    for start in range(2, RESTARTS_MAX + 2):
        child(arena, PARTS["beat"]).kill()
        arena.wait_for("beat started (pid=", times=start)
    child(arena, PARTS["beat"]).kill()
    assert arena.wait() == 1
    assert "The arena has ended because its part “beat” died more than 5 times" in arena.lines[-1]
    assert left_behind(arena.data, numbers) == []
