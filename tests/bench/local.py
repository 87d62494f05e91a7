"""``python -m tests.bench.local``: a match of 200 turns of Kakomimasu at home, as ``python -m core play`` plays it."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import core
from core import replay
from core.local import local_bot
from core.referee import SeatInfo, drive, play
from tests.workers.conftest import GOOD_BOT

ROUNDS = 20
TURNS = 200


def main() -> None:
    """Print the wall time of a match, and the CPU time of our process and of its bots: milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder, "main.py")
        bot.write_text(GOOD_BOT)
        command = f"/usr/bin/python3 -u {bot}"
        match(command)  # warms up
        ours, bots, begun = _cpu_ms(resource.RUSAGE_SELF), _cpu_ms(resource.RUSAGE_CHILDREN), time.monotonic()
        for _ in range(ROUNDS):
            match(command)
    figures = {
        "wall time of a match": 1e3 * (time.monotonic() - begun),
        "CPU time of referee and rules": _cpu_ms(resource.RUSAGE_SELF) - ours,
        "CPU time of both bots, their starts included": _cpu_ms(resource.RUSAGE_CHILDREN) - bots,
    }
    for name, total_ms in figures.items():
        sys.stdout.write(f"{name}: {total_ms / ROUNDS:.1f} ms\n")


def match(command: str) -> bytes:
    """Play a match of two bots and return its replay."""
    game, seats = core.game("kakomimasu"), [SeatInfo("first"), SeatInfo("second")]
    with ExitStack() as stack:
        bots = [stack.enter_context(local_bot(command)) for _ in seats]
        outcome, records = drive(
            play(game, seed=1, seats=seats, options={"board": "A-1", "turns": TURNS}),
            lambda turn: {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks},
        )
        assert outcome.faults == (None, None)
    return replay.encode(records)


def _cpu_ms(who: int) -> float:
    usage = resource.getrusage(who)
    return 1e3 * (usage.ru_utime + usage.ru_stime)


if __name__ == "__main__":
    main()
