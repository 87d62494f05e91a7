"""Each playing process has a core of its own where there are enough, whichever worker it belongs to."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

from workers.cores import core_take

CORES = {5, 3}


def hold(folder: Path, end: Connection) -> None:
    end.send(core_take(folder, CORES))
    end.recv()


def taker(folder: Path, kept: list[Connection]) -> tuple[SpawnProcess, int | None]:
    """Start a process that takes a core and lives until it is killed; return it and what it got."""
    ours, its = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=hold, args=(folder, its), daemon=True)
    process.start()
    kept.append(ours)
    return process, ours.recv()


def test_no_two_processes_have_the_same_core_and_a_killed_one_leaves_its_own(tmp_path: Path) -> None:
    kept: list[Connection] = []
    first, core = taker(tmp_path, kept)
    second, other = taker(tmp_path, kept)
    third, none = taker(tmp_path, kept)
    assert (core, other, none) == (3, 5, None)
    first.kill()
    first.join()
    fourth, again = taker(tmp_path, kept)
    assert again == 3
    for process in (second, third, fourth):
        process.kill()
        process.join()
