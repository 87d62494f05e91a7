"""Benchmarks of what the sandbox costs: medians, compared with the same program as a plain process."""

from __future__ import annotations

import os
import subprocess
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
"""Pause between two starts, in which the sandbox starts its next containers ahead, as between matches."""


@contextmanager
def own_core() -> Iterator[None]:
    """Bind this process to one core, like a player and its bots (``sandbox.cores``): across cores turns cost more."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def start_ms(isolation: Sandbox, folder: Path, rounds: int = 40) -> dict[str, float]:
    """Measure the time from a Python bot's start to its first answer, in the sandbox and as a plain process, in ms."""
    program = python(folder, ECHO)

    def plain() -> None:
        with subprocess.Popen(program.argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            process.communicate(b"go\n")

    def isolated() -> None:
        running.append(isolation.start(program, Limits()))
        running[0].ask(["go"], TURN)

    running: list[Process] = []
    starts, ends = [], []
    for _ in range(rounds):
        time.sleep(PAUSE_SECONDS)
        starts.append(_once(isolated))
        ends.append(_once(running.pop().kill))
    return {
        "plain process": 1e3 * seconds(plain, rounds),
        "start to first line": 1e3 * median(starts),
        "removal": 1e3 * median(ends),
    }


def turn_us(isolation: Sandbox, folder: Path, rounds: int = 10, turns: int = 200) -> dict[str, float]:
    """Measure a turn of two bots asked one after the other: over pipes, in the sandbox, and there without freezing.

    The three alternate, some hundred turns each, so that other load on the machine slows all alike. In microseconds.
    """
    program = python(folder, ECHO)
    with ExitStack() as stack:
        plain = [stack.enter_context(pipes(program.argv, folder)) for _ in range(2)]
        isolated = [stack.enter_context(isolation.start(program, Limits())) for _ in range(2)]
        awake = [stack.enter_context(isolation.start(program, Limits())) for _ in range(2)]
        with patch.object(Freezer, "freeze", lambda _: None):  # bots start frozen; the first question thaws them
            for bot in awake:
                bot.ask(["x" * 50], TURN)
        measured: dict[str, tuple[Callable[[], object], AbstractContextManager[object]]] = {
            "two bots over plain pipes": (lambda: [ask(bot, b"x" * 50 + b"\n") for bot in plain], nullcontext()),
            "two bots in the sandbox, never frozen": (lambda: [bot.ask(["x" * 50], TURN) for bot in awake], _awake()),
            "two bots in the sandbox": (lambda: [bot.ask(["x" * 50], TURN) for bot in isolated], nullcontext()),
        }
        times: dict[str, list[float]] = {name: [] for name in measured}
        for _ in range(rounds):
            for name, (deed, way) in measured.items():
                with way:
                    times[name].append(seconds(deed, turns))
    return {name: 1e6 * median(medians) for name, medians in times.items()}


def _awake() -> AbstractContextManager[object]:
    """Return a context in which programs are neither frozen nor thawed."""
    return patch.multiple(Freezer, freeze=lambda _: None, thaw=lambda _: None)


def match_ms(isolation: Sandbox, folder: Path, rounds: int = 12) -> dict[str, float]:
    """Measure whole matches of 200 turns of two trivial Python bots: start, referee, sandbox, replay. In ms."""
    return {"match of 200 turns": 1e3 * seconds(silent_match(isolation, folder), rounds)}


def silent_match(isolation: Sandbox, folder: Path) -> Callable[[], None]:
    """Return a function that plays one match of 200 turns of two trivial Python bots in the sandbox."""
    player = Player(SeatInfo("bot", "1", ""), python(folder, GOOD_BOT))
    game = game_named(GAME)

    def play() -> None:
        played = table_play(game, SEED, OPTIONS, players=[player, player], sandbox=isolation)
        assert played.outcome.turns == TURNS
        assert played.outcome.faults == (None, None)

    return play


def seconds(deed: Callable[[], object], rounds: int) -> float:
    """Return the median duration of calls of ``deed`` in seconds, after three calls to warm up."""
    for _ in range(3):
        deed()
    return median(_once(deed) for _ in range(rounds))


def _once(deed: Callable[[], object]) -> float:
    begun = time.perf_counter()
    deed()
    return time.perf_counter() - begun
