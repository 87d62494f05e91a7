"""Benchmark of fair time: bots that use 60 % of their CPU limit, while two programs burn CPU on each of two cores."""

from __future__ import annotations

import os
from pathlib import Path

from sandbox.api import BotFault, Limits, Sandbox, TurnLimits
from tests.sandbox.programs import python
from tests.sandbox.test_fair_time import MATCHES, SPINNER, VERDICTS, burners, spends

MATCHES_PLAYED = 100
TURNS = 20
SPENT_MS, LIMIT_MS = 12, 20


def finished(isolation: Sandbox, folder: Path) -> dict[str, float]:
    """Count the matches that a bot at 60 % of its limit finishes, and whether the load changes any verdict."""
    program = python(folder, SPINNER)
    whole = 0
    with burners(2 * sorted(os.sched_getaffinity(0))[:2]):
        for _ in range(MATCHES_PLAYED):
            try:
                with isolation.start(program, Limits()) as bot:
                    for _turn in range(TURNS):
                        bot.ask([str(SPENT_MS)], TurnLimits(cpu_ms=LIMIT_MS))
            except BotFault:
                continue
            whole += 1
        changed = [spends(isolation, program, turns) for turns in MATCHES.values()] != VERDICTS
    return {f"of {MATCHES_PLAYED} matches finished at 60 % of the limit": whole, "verdicts changed by load": changed}
