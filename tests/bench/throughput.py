"""Benchmark of matches a second and core: one player on each core, as in a worker; the referee's time counts, too."""

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
"""Returns a function that plays one match. It is called in a player's process, with a folder of its own and a stack
that is closed when the player ends."""


def matches_a_second_and_core(backend: str, ahead: int, folder: Path) -> dict[str, float]:
    """Measure matches of 200 turns of two trivial Python bots, in the sandbox and over plain pipes."""
    return {
        "matches of 200 turns a second and core": rate(partial(_isolated, backend, ahead), folder),
        "the same over plain pipes, no rules, no sandbox": rate(plain, folder),
    }


def rate(prepare: Prepare, folder: Path) -> float:
    """Play on all cores for ``SECONDS``; return matches a second and core."""
    cores = sorted(os.sched_getaffinity(0))
    with get_context("spawn").Pool(len(cores), maxtasksperchild=1) as players:
        rates = players.map(partial(_rate, prepare, folder), cores, chunksize=1)
    return sum(rates) / len(cores)


def plain(folder: Path, stack: ExitStack) -> Callable[[], object]:
    """Prepare matches over plain pipes, the lower limit of the cost (``tests.bench.floor``)."""
    return plain_match(python(folder, GOOD_BOT).argv, folder)


def _isolated(backend: str, ahead: int, folder: Path, stack: ExitStack) -> Callable[[], object]:
    isolation = sandbox.backend(backend, ahead=ahead)
    stack.callback(isolation.close)
    return silent_match(isolation, folder)


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
