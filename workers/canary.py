"""Measures how fast a host is, by a small fixed piece of work before the host plays."""

from __future__ import annotations

import time

from core.referee import Reply, SeatInfo, drive, play
from games.canary import GAME, OPTIONS
from games.registry import game_named

ROUNDS = 3


def canary_ms() -> float:
    """Return the CPU time of a short match without bots, the best of ``ROUNDS``, in milliseconds."""
    return round(min(_round_ms() for _ in range(ROUNDS)), 1)


def _round_ms() -> float:
    before = time.process_time()
    seats = [SeatInfo(name, "1", "") for name in ("canary", "canary too")]
    match = play(game_named(GAME), seed=1, seats=seats, options=OPTIONS)
    drive(match, lambda turn: {ask.seat: Reply(("NONE",) * ask.answer_lines) for ask in turn.asks})
    return (time.process_time() - before) * 1_000
