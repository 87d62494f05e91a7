"""Measures the house bots of a game: a round robin on random boards, and the ratings that the ladder's fit gives.

At a table sit as many bots as on the ladder; every table is played from all seats. The printed ratings go into each
``bot.toml`` as ``declared_rating``. It ends with an error if any bot was at fault, which no house bot may be.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from itertools import combinations, count
from pathlib import Path

import core
import sandbox
from banzuke.bots import HOUSE, bot_ready
from banzuke.walls import bot_running, walls_opened
from core.game import JsonObject
from core.local import Player, local_bot
from core.referee import Outcome, SeatInfo, drive, play
from ladder.housebots import HouseBot, housebots_read
from ladder.rating import fit, interval, results_collect

Start = Callable[[str], AbstractContextManager[Player]]
"""Starts a bot by the text that stands for it."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended."""

    table: tuple[int, ...]
    """The bots in seat order, by their places in the list of all."""
    outcome: Outcome


def unpack(housebot: HouseBot, folder: Path) -> str:
    """Write a bot's files to a folder, and build it if it must be built; return the command that starts it.

    Raises:
        UserError: its language is not installed.
    """
    for name, content in housebot.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    if housebot.description.language == "python":
        return shlex.join([sys.executable, str(folder / "main.py")])
    bot = bot_ready(str(folder), game=housebot.description.game)
    return shlex.join(["env", "-C", str(bot.root), *shlex.split(bot.command)])


def meet(game: str, commands: list[str], seed: int, options: dict[str, object] | None = None) -> Outcome:
    """Play one match between programs in seat order."""
    return recorded(game, commands, seed, options)[0]


def recorded(
    game: str,
    commands: list[str],
    seed: int,
    options: dict[str, object] | None = None,
    start: Start = local_bot,
) -> tuple[Outcome, list[JsonObject]]:
    """Play one match between programs in seat order; return its replay's records, too."""
    with ExitStack() as stack:
        bots = [stack.enter_context(start(command)) for command in commands]
        seats = [SeatInfo(command, "1", "0" * 64) for command in commands]
        match = play(core.game(game), seed=seed, seats=seats, options=options)
        return drive(match, lambda turn: {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks})


def tables(bots: int, players: int) -> list[tuple[int, ...]]:
    """Return who sits where: every choice of so many of the bots, everybody on every seat once."""
    return [table[seat:] + table[:seat] for table in combinations(range(bots), players) for seat in range(players)]


def round_robin(game: str, names: list[str], start: Start, *, seeds: int, seconds: float) -> list[Result]:
    """Play every table on so many boards; after so many seconds, end with the board that is being played."""
    end = time.monotonic() + seconds
    results = []
    for seed in range(seeds):
        for table in tables(len(names), core.game(game).players[0]):
            results.append(Result(table, recorded(game, [names[i] for i in table], seed, start=start)[0]))
        if time.monotonic() > end:
            break
    return results


def report(names: list[str], results: list[Result]) -> list[str]:
    """Return the lines of the table: ratings with intervals, matches and faults."""
    fitted = fit(len(names), results_collect([(result.table, result.outcome.ranks) for result in results]))
    played = Counter(bot for result in results for bot in result.table)
    faults = Counter(
        bot for result in results for bot, fault in zip(result.table, result.outcome.faults, strict=True) if fault
    )
    lines = ["| bot | rating | matches | faults |", "|---|---|---|---|"]
    for bot, name, rating, se in zip(count(), names, fitted.rating, fitted.se):
        lines.append(f"| `{name}` | {rating:.0f} ± {interval(se):.0f} | {played[bot]} | {faults[bot]} |")
    return lines


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m bots.measure", description=__doc__)
    parser.add_argument("game", choices=core.games())
    parser.add_argument("--seeds", type=int, default=25, help="boards; on each, every table plays from all seats")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no further board after so long")
    parser.add_argument("--bots", nargs="+", metavar="NAME", help="these only")
    parser.add_argument("--sandbox", nargs="?", const="auto", choices=sandbox.NAMES, help="behind walls")
    arguments = parser.parse_args()
    every = [bot.description.name for bot in housebots_read() if bot.description.game == arguments.game]
    names = arguments.bots or every
    with walls_opened(arguments.sandbox) as walls:
        ready = {name: bot_ready(HOUSE + name, game=arguments.game, walls=walls) for name in names}
        results = round_robin(
            arguments.game,
            names,
            lambda name: bot_running(ready[name], walls),
            seeds=arguments.seeds,
            seconds=arguments.seconds,
        )
    print("\n".join(report(names, results)))
    return int(any(any(result.outcome.faults) for result in results))


if __name__ == "__main__":
    sys.exit(main())
