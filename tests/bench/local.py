"""``python -m tests.bench.local``: a match of 200 turns of Kakomimasu at home, as ``banzuke play`` plays it."""

from __future__ import annotations

import resource
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from banzuke.local import ProcessBot, local_process
from core import replay
from core.referee import SeatInfo, drive, play
from games.registry import game_named
from tests.bench import throughput
from tests.bench.floor import GAME, OPTIONS, SEED, plain_match
from tests.sandbox.programs import python
from tests.workers.conftest import GOOD_BOT

ROUNDS = 20


def main() -> None:
    """Print what a match costs, compared with the same questions over plain pipes, and matches a second and core."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        argv = python(folder, GOOD_BOT).argv
        _print(_costs(partial(match, shlex.join(argv), folder)), "ms")
        _print({f"over plain pipes: {name}": cost for name, cost in _costs(plain_match(argv, folder)).items()}, "ms")
        _print({"matches a second and core": throughput.rate(_prepare, folder)}, "")
        _print({"the same over plain pipes, no rules": throughput.rate(throughput.plain, folder)}, "")


def match(command: str, folder: Path) -> bytes:
    """Play a match of two bots and return its replay."""
    game, seats = game_named(GAME), [SeatInfo("first"), SeatInfo("second")]
    with ExitStack() as stack:
        bots = [ProcessBot(stack.enter_context(local_process(command, folder))) for _ in seats]
        outcome, records = drive(
            play(game, seed=SEED, seats=seats, options=OPTIONS),
            lambda turn: {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks},
        )
        assert outcome.faults == (None, None)
    return replay.encode(records)


def _prepare(folder: Path, stack: ExitStack) -> Callable[[], object]:
    return partial(match, shlex.join(python(folder, GOOD_BOT).argv), folder)


def _costs(deed: Callable[[], object]) -> dict[str, float]:
    """Return wall time of a call of ``deed``, and CPU time of this process and of its bots, in milliseconds."""
    deed()  # warm up
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


def _print(values: dict[str, float], unit: str) -> None:
    for name, value in values.items():
        sys.stdout.write(f"{name}: {value:.1f} {unit}\n")


if __name__ == "__main__":
    main()
