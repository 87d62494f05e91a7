"""Matches a second and core: as many players as cores, each on its own, as a worker has them; the engine counts too."""

from __future__ import annotations

import os
import time
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import sandbox
from tests.bench.figures import silent_match

SECONDS = 15
WARM_UP_MATCHES = 3


def matches_a_second_and_core(backend: str, ahead: int, folder: Path) -> dict[str, float]:
    """Let a player on each core play matches of 200 turns of two trivial Python bots for a while."""
    cores = sorted(os.sched_getaffinity(0))
    with get_context("spawn").Pool(len(cores), maxtasksperchild=1) as players:
        rates = players.map(partial(_rate, backend, ahead, folder), cores, chunksize=1)
    return {"matches of 200 turns a second and core": sum(rates) / len(cores)}


def _rate(backend: str, ahead: int, folder: Path, core: int) -> float:
    os.sched_setaffinity(0, {core})
    own = folder / str(core)
    own.mkdir()
    walls = sandbox.backend(backend, ahead=ahead)
    play = silent_match(walls, own)
    for _ in range(WARM_UP_MATCHES):
        play()
    played, begun = 0, time.perf_counter()
    while (passed := time.perf_counter() - begun) < SECONDS:
        play()
        played += 1
    walls.close()
    return played / passed
