"""Each process that plays matches has a core of its own where there are enough, also with several workers."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from sandbox.cores import core_take, keep_to_own_core

pytestmark = pytest.mark.quiet

CORES = {5, 3}
CORES_HERE = len(os.sched_getaffinity(0))


def hold(folder: Path, end: Connection) -> None:
    end.send(core_take(folder, CORES))
    end.recv()


def keep(folder: Path, processes: int, end: Connection) -> None:
    keep_to_own_core(folder, processes)
    end.send(os.sched_getaffinity(0))


def taker(folder: Path, kept: list[Connection]) -> tuple[SpawnProcess, int | None]:
    """Start a process that reserves a core until it is killed; return the process and the core, None if it got none."""
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


def cores_kept(folder: Path, processes: int) -> int:
    """Return how many cores a new process may use after ``keep_to_own_core``."""
    ours, its = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=keep, args=(folder, processes, its))
    process.start()
    its.close()  # so that ``recv`` does not wait for a process that has failed
    count = len(ours.recv())
    process.join()
    return count


@pytest.mark.parametrize(("more_than_cores", "kept"), [(0, 1), (1, CORES_HERE)])
def test_a_process_keeps_to_one_core_where_all_have_one(tmp_path: Path, more_than_cores: int, kept: int) -> None:
    assert cores_kept(tmp_path, CORES_HERE + more_than_cores) == kept


def test_where_others_have_taken_all_cores_a_process_uses_any(tmp_path: Path) -> None:
    """Another worker on this machine may have reserved all cores."""
    for core in os.sched_getaffinity(0):
        assert core_take(tmp_path, {core}) == core
    assert cores_kept(tmp_path, 1) == CORES_HERE
