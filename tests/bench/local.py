"""``python -m tests.bench.local``: a match of 200 turns of Kakomimasu at home, as ``python -m core play`` plays it."""

from __future__ import annotations

import resource
import shlex
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from banzuke.local import local_bot
from core import replay
from core.referee import SeatInfo, drive, play
from games.registry import game_named
from tests.bench import throughput
from tests.bench.figures import print_values
from tests.bench.floor import GAME, OPTIONS, SEED, plain_match
from tests.sandbox.programs import python
from tests.workers.conftest import GOOD_BOT

ROUNDS = 20


def main() -> None:
    """Print what a match costs, beside the same bots asked the same over plain pipes, and how many a core plays."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        argv = python(folder, GOOD_BOT).argv
        print_values(_costs(partial(match, shlex.join(argv), folder)), "ms")
        print_values(
            {f"over plain pipes: {name}": cost for name, cost in _costs(plain_match(argv, folder)).items()}, "ms"
        )
        print_values({"matches a second and core": throughput.rate(_prepare, folder)}, "")
        print_values({"the same over plain pipes, no rules": throughput.rate(throughput.plain, folder)}, "")


def match(command: str, folder: Path) -> bytes:
    """Play a match of two bots and return its replay."""
    game, seats = game_named(GAME), [SeatInfo("first"), SeatInfo("second")]
    with ExitStack() as stack:
        bots = [stack.enter_context(local_bot(command, folder)) for _ in seats]
        outcome, records = drive(
            play(game, seed=SEED, seats=seats, options=OPTIONS),
            lambda turn: {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks},
        )
        assert outcome.faults == (None, None)
    return replay.encode(records)


def _prepare(folder: Path, stack: ExitStack) -> Callable[[], object]:
    return partial(match, shlex.join(python(folder, GOOD_BOT).argv), folder)


def _costs(deed: Callable[[], object]) -> dict[str, float]:
    """Return the wall time of a match, and the CPU time of our process and of its bots: milliseconds."""
    deed()  # warms up
    ours, bots, begun = _cpu_ms(resource.RUSAGE_SELF), _cpu_ms(resource.RUSAGE_CHILDREN), time.monotonic()
    for _ in range(ROUNDS):
        deed()
    totals = {
        "wall time of a match": 1e3 * (time.monotonic() - begun),
        "CPU time of referee and rules": _cpu_ms(resource.RUSAGE_SELF) - ours,
        "CPU time of both bots, their starts included": _cpu_ms(resource.RUSAGE_CHILDREN) - bots,
    }
    return {name: total / ROUNDS for name, total in totals.items()}


def _cpu_ms(who: int) -> float:
    usage = resource.getrusage(who)
    return 1e3 * (usage.ru_utime + usage.ru_stime)


if __name__ == "__main__":
    main()
