"""Benchmark of bots that look at a wall clock: do their matches end on a busy machine as on an idle one?"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from core.referee import SeatInfo
from games.registry import game_named
from sandbox.api import PlatformFault, Sandbox
from tests.bench.figures import own_core
from tests.bench.floor import GAME, OPTIONS
from tests.sandbox.programs import python
from tests.sandbox.test_fair_time import burners
from wire.jobs import AGAIN_MAX
from workers.play import Played, Player, table_play

FIRST_CPU_MS = range(100, 571)
"""CPU time that a bot's first turn takes, in ms. If more than 1,000 ms of wall time pass meanwhile, the bot gives up
and scores nothing."""
WATCHES = """
import time
seat, players, width, height, agents, turns = map(int, input().split())
begun, end = time.monotonic(), time.process_time() + {cpu_ms} / 1000
while time.process_time() < end:
    pass
for _ in range(height):
    input()
gives_up = time.monotonic() - begun > 1.0
for turn in range(turns):
    for _ in range(1 + players + height + players * agents + 1):
        input()
    print("\\n".join("NONE" if gives_up or turn else f"PUT {{agent}} {{seat}}" for agent in range(agents)), flush=True)
"""
TURNS = 10
ATTEMPTS_MAX = 3
"""After so many platform faults a match is void, as in ``jobs.leases``."""


def ended_as_idle(isolation: Sandbox, folder: Path, matches: int) -> dict[str, float]:
    """Count the matches that have the same verdicts, ranks and points with four burners on two cores as without."""
    same = again = 0
    numbers = random.Random(1)  # noqa: S311 - the same each time
    with own_core():
        for seed in range(matches):
            program = python(folder, WATCHES.format(cpu_ms=numbers.choice(FIRST_CPU_MS)))
            players = [Player(SeatInfo(f"bot {seat}", "1", ""), program) for seat in (0, 1)]
            alone, _ = _played(isolation, players, seed)
            with burners(2 * sorted(os.sched_getaffinity(os.getppid()))[:2], apart=True):
                beside, times = _played(isolation, players, seed)
            again += times
            same += _ending(alone) == _ending(beside) != ()
    return {f"of {matches} matches ended as without burners": same, "played again because a bot had waited": again}


def _played(isolation: Sandbox, players: list[Player], seed: int) -> tuple[Played | None, int]:
    """Play a match, again after platform faults as site and workers do.

    Returns:
        The match as it was played, None if it became void; and how often it was played again.
    """
    options = OPTIONS | {"turns": TURNS}
    for attempt in range(1, ATTEMPTS_MAX + 1):
        try:
            played = table_play(game_named(GAME), seed, options, players=players, sandbox=isolation)
        except PlatformFault as fault:
            sys.stdout.write(f"{fault}\n")
        else:
            if not played.waited or attempt > AGAIN_MAX:
                return played, attempt - 1
            sys.stdout.write(f"{played.waited}\n")
    return None, ATTEMPTS_MAX - 1


def _ending(played: Played | None) -> tuple[object, ...]:
    if played is None:
        return ()
    faults = tuple(fault and fault.verdict for fault in played.outcome.faults)
    return played.outcome.ranks, played.outcome.scores, faults
