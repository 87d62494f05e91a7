"""What the sandbox costs: medians in milliseconds and microseconds, beside the same program as a plain process."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path
from statistics import median
from unittest.mock import patch

from core.referee import SeatInfo
from games.registry import game_named
from sandbox.api import Limits, Process, Sandbox, TurnLimits
from sandbox.freezer import Freezer
from tests.bench.floor import GAME, OPTIONS, SEED, TURNS, ask, pipes
from tests.sandbox.programs import ECHO, python
from tests.workers.conftest import GOOD_BOT
from workers.play import Player, table_play

TURN = TurnLimits(cpu_ms=1_000)
PAUSE_SECONDS = 0.3
"""Between two starts, so that what is started ahead stands again, as it does when a match is over."""


@contextmanager
def own_core() -> Iterator[None]:
    """Keep to one core, as a player and its bots do (``sandbox.cores``): between cores a turn costs more."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def start_ms(walls: Sandbox, folder: Path, rounds: int = 40) -> dict[str, float]:
    """Measure from the start of a Python bot to its first answer, inside the walls and as a plain process."""
    program = python(folder, ECHO)

    def plain() -> None:
        with subprocess.Popen(program.argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.communicate(b"go\n")

    def walled() -> None:
        running.append(walls.start(program, Limits()))
        running[0].ask(["go"], TURN)

    running: list[Process] = []
    starts, ends = [], []
    for _ in range(rounds):
        time.sleep(PAUSE_SECONDS)
        starts.append(_once(walled))
        ends.append(_once(running.pop().kill))
    return {
        "plain process": 1e3 * seconds(plain, rounds),
        "start to first line": 1e3 * median(starts),
        "removal": 1e3 * median(ends),
    }


def turn_us(walls: Sandbox, folder: Path, rounds: int = 10, turns: int = 200) -> dict[str, float]:
    """Measure a turn of two bots asked one after the other, and what of it freezing takes, beside plain pipes.

    By turns, some hundred of each: what the machine does beside it slows all of them.
    """
    program = python(folder, ECHO)
    with ExitStack() as stack:
        plain = [stack.enter_context(pipes(program.argv, folder)) for _ in range(2)]
        walled, awake = ([stack.enter_context(walls.start(program, Limits())) for _ in range(2)] for _ in range(2))
        with patch.object(Freezer, "freeze", lambda _: None):  # they stand still until they are asked first
            for bot in awake:
                bot.ask(["x" * 50], TURN)
        measured: dict[str, tuple[Callable[[], object], AbstractContextManager[object]]] = {
            "two bots over plain pipes": (lambda: [ask(bot, b"x" * 50 + b"\n") for bot in plain], nullcontext()),
            "two bots in the sandbox, never frozen": (lambda: [bot.ask(["x" * 50], TURN) for bot in awake], _awake()),
            "two bots in the sandbox": (lambda: [bot.ask(["x" * 50], TURN) for bot in walled], nullcontext()),
        }
        times: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(rounds):
            for name, (deed, way) in measured.items():
                with way:
                    times[name].append(seconds(deed, turns))
    return {name: 1e6 * median(medians) for name, medians in times.items()}


def _awake() -> AbstractContextManager[object]:
    """Return what leaves programs awake while others are asked."""
    return patch.multiple(Freezer, freeze=lambda _: None, thaw=lambda _: None)


def silent_match(walls: Sandbox, folder: Path) -> Callable[[], None]:
    """Return a function that plays a whole match of two trivial Python bots: start, referee, sandbox, replay."""
    player = Player(SeatInfo("bot", "1", ""), python(folder, GOOD_BOT))
    game = game_named(GAME)

    def play() -> None:
        played = table_play(game, SEED, OPTIONS, players=[player, player], sandbox=walls)
        assert played.outcome.turns == TURNS
        assert played.outcome.faults == (None, None)

    return play


def seconds(deed: Callable[[], object], rounds: int) -> float:
    """Return the median of how long a deed takes; the first three times warm it up."""
    for _ in range(3):
        deed()
    return median(_once(deed) for _ in range(rounds))


def _once(deed: Callable[[], object]) -> float:
    begun = time.perf_counter()
    deed()
    return time.perf_counter() - begun


def print_values(values: dict[str, float], unit: str) -> None:
    """Print one figure a line."""
    for name, value in values.items():
        sys.stdout.write(f"{name}: {value:.1f} {unit}\n")
