"""Measures the house bots of a game: a round robin on random boards, and the ratings that the ladder's fit gives.

At a table sit as many bots as on the ladder; every table is played from all seats.

The bots run without a sandbox, they are ours. The printed ratings go into each ``bot.toml`` as ``declared_rating``.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path

import core
from core.game import JsonObject
from core.local import local_bot
from core.referee import Outcome, SeatInfo, drive, play
from ladder.housebots import HouseBot, housebots_read
from ladder.rating import fit, interval, results_collect


def unpack(housebot: HouseBot, folder: Path) -> str:
    """Write a bot's files to a folder; return the command that starts it."""
    for name, content in housebot.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return shlex.join([sys.executable, str(folder / "main.py")])


def meet(game: str, commands: list[str], seed: int, options: dict[str, object] | None = None) -> Outcome:
    """Play one match between programs in seat order."""
    return recorded(game, commands, seed, options)[0]


def recorded(
    game: str, commands: list[str], seed: int, options: dict[str, object] | None = None
) -> tuple[Outcome, list[JsonObject]]:
    """Play one match between programs in seat order; return its replay's records, too."""
    with ExitStack() as stack:
        bots = [stack.enter_context(local_bot(command)) for command in commands]
        seats = [SeatInfo(command, "1", "0" * 64) for command in commands]
        match = play(core.game(game), seed=seed, seats=seats, options=options)
        return drive(match, lambda turn: {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks})


def faultless(game: str, commands: list[str], seed: int) -> Outcome:
    """Play one match.

    Raises:
        RuntimeError: a bot was at fault, which no house bot may be.
    """
    outcome = meet(game, commands, seed)
    if any(outcome.faults):
        raise RuntimeError(f"A fault on seed {seed}: {outcome.faults} of {commands}.")
    return outcome


def tables(bots: int, players: int) -> list[tuple[int, ...]]:
    """Return who sits where: every choice of so many of the bots, everybody on every seat once."""
    return [table[seat:] + table[:seat] for table in combinations(range(bots), players) for seat in range(players)]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(prog="python -m bots.measure", description=__doc__)
    parser.add_argument("game", choices=core.games())
    parser.add_argument("--seeds", type=int, default=25, help="boards; on each, every table plays from all seats")
    arguments = parser.parse_args()
    housebots = [bot for bot in housebots_read() if bot.description.game == arguments.game]
    with tempfile.TemporaryDirectory() as folder:
        commands = [unpack(bot, Path(folder) / bot.description.name) for bot in housebots]
        results = [
            (table, faultless(arguments.game, [commands[i] for i in table], seed).ranks)
            for seed in range(arguments.seeds)
            for table in tables(len(commands), core.game(arguments.game).players[0])
        ]
    fitted = fit(len(housebots), results_collect(results))
    for bot, rating, se in zip(housebots, fitted.rating, fitted.se, strict=True):
        print(f"{bot.description.name:12} {rating:6.0f} ± {interval(se):.0f}")


if __name__ == "__main__":
    main()
