"""Matches a second and core: as many players as cores, each on its own, as a worker has them; the engine counts too."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import sandbox
from tests.bench.figures import silent_match
from tests.bench.floor import plain_match
from tests.sandbox.programs import python
from tests.workers.conftest import GOOD_BOT

SECONDS = 15
WARM_UP_MATCHES = 3

Prepare = Callable[[Path, ExitStack], Callable[[], object]]
"""Makes, in a player's process, what plays one match: given a folder of its own and what ends with the player."""


def matches_a_second_and_core(backend: str, ahead: int, folder: Path) -> dict[str, float]:
    """Let a player on each core play matches of 200 turns of two trivial Python bots for a while."""
    return {
        "matches of 200 turns a second and core": rate(partial(_walled, backend, ahead), folder),
        "the same over plain pipes, no rules, no walls": rate(plain, folder),
    }


def rate(prepare: Prepare, folder: Path) -> float:
    """Play on all cores for a while; return matches a second and core."""
    cores = sorted(os.sched_getaffinity(0))
    with get_context("spawn").Pool(len(cores), maxtasksperchild=1) as players:
        rates = players.map(partial(_rate, prepare, folder), cores, chunksize=1)
    return sum(rates) / len(cores)


def plain(folder: Path, stack: ExitStack) -> Callable[[], object]:
    """Prepare the floor."""
    return plain_match(python(folder, GOOD_BOT).argv, folder)


def _walled(backend: str, ahead: int, folder: Path, stack: ExitStack) -> Callable[[], object]:
    walls = sandbox.backend(backend, ahead=ahead)
    stack.callback(walls.close)
    return silent_match(walls, folder)


def _rate(prepare: Prepare, folder: Path, core: int) -> float:
    os.sched_setaffinity(0, {core})
    own = folder / str(core)
    own.mkdir(exist_ok=True)
    with ExitStack() as stack:
        play = prepare(own, stack)
        for _ in range(WARM_UP_MATCHES):
            play()
        gc.freeze()  # as a worker's process does when it begins
        played, begun = 0, time.perf_counter()
        while (passed := time.perf_counter() - begun) < SECONDS:
            play()
            played += 1
    return played / passed
