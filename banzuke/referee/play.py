"""Play a match at home between programs, with the referee of the arena but without its sandbox.

Each COMMAND is what you would type to start the bot, in quotes: "python3 my_bot/main.py". The bots run as you and may
do what you may: play only with bots you trust. On Linux an answer is charged the CPU time of the bot's process,
elsewhere wall time; the first answer may take 5 s more, for the start.

With --from a match is played again: game, seed, options and the names of the seats are those of the replay, the
commands are yours, in the order of its seats. Whether the hash is equal tells whether it came out the same. A bot that
looks at the clock or draws numbers of its own does not play the same match twice.
"""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from banzuke.arguments import add_variant, options_chosen
from banzuke.frames import frame_text, told_apart
from banzuke.local import RunningBot, local_bot
from banzuke.text import UserError, say, table
from banzuke.turnlog import LoggedTurn, log_write, logged
from core.arguments import seed
from core.game import BadOptions, Game, JsonObject
from core.record import Header
from core.referee import Outcome, Reply, SeatInfo, Turn, drive, play
from core.replay import (
    BadReplay,
    ReplayMismatch,
    decode,
    encode,
)
from core.text import printable
from games.registry import game_missing, game_named, game_names
from games.replays import rules_of
from games.words import ENGLISH, Words, words_of

Start = Callable[[str], AbstractContextManager[RunningBot]]
NO_SANDBOX = "No sandbox: the bots run with your rights."


@dataclass(frozen=True, slots=True)
class _Setup:
    """The match to play and the commands of its bots."""

    game: Game[Any]
    seed: int
    options: JsonObject
    seats: list[SeatInfo]
    commands: list[str]
    hash: str = ""
    """The hash of the match that is played again; empty for a new match."""

    @property
    def words(self) -> Words:
        """The sentences of the game."""
        return words_of(self.game.name, ENGLISH)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``play``."""
    games = ", ".join(game_names())
    parser.add_argument("words", metavar="GAME COMMAND", nargs="*", help=f"the game ({games}) and a command a seat")
    parser.add_argument(
        "--from", dest="original", type=Path, metavar="REPLAY", help="play its match again; give commands only, no game"
    )
    parser.add_argument("--seed", type=seed, help="of the match (default: a random one, which is printed)")
    add_variant(parser)
    parser.add_argument(
        "--replay", type=Path, metavar="FILE", help="write the replay to this file, and what the bots wrote beside it"
    )
    parser.add_argument("--watch", action="store_true", help="print every frame")


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print how it ended."""
    played(arguments, local_bot, NO_SANDBOX)
    return 0


def played(arguments: argparse.Namespace, start: Start, isolation: str) -> Outcome:
    """Play the match, print how it ended, and return its outcome.

    Args:
        arguments: the arguments of the command line.
        start: starts the bot that an argument names.
        isolation: a sentence about the bots' isolation, which is printed.
    """
    setup = _again(arguments) if arguments.original else _fresh(arguments)
    path: Path | None = arguments.replay
    if path and (
        path.is_dir() or not (path.parent.is_dir() and os.access(path if path.exists() else path.parent, os.W_OK))
    ):
        raise UserError(f"The replay cannot be written to {path}: is there such a folder, and may you write there?")
    say(f"{setup.game.title}, seed {setup.seed}. {isolation}")
    with ExitStack() as stack:
        bots = [_start(stack, start, command) for command in setup.commands]
        log: list[LoggedTurn] = []
        outcome, records = _play(setup, bots, log, watch=arguments.watch)
        _report(setup, outcome, [bot.stderr_tail() for bot in bots])
    if setup.hash:
        _compare(setup.hash, records[-1]["hash"])
    if path:
        try:
            path.write_bytes(encode(records))
        except BadReplay as error:
            raise UserError(str(error)) from error
        except OSError as error:
            raise UserError(f"The replay cannot be written to {path}: {error.strerror}.") from error
        log_write(path, log)
    return outcome


def _fresh(arguments: argparse.Namespace) -> _Setup:
    name, *commands = arguments.words or [""]
    if name not in game_names():
        games = ", ".join(game_names())
        raise UserError(
            game_missing(name) if name else f"Name a game and a command for each seat; choose one of: {games}."
        )
    seed = secrets.randbelow(2**63) if arguments.seed is None else arguments.seed
    seats = [SeatInfo(printable(command)) for command in commands]
    game = game_named(name)
    return _Setup(game, seed, options_chosen(arguments, game, len(commands)), seats, commands)


def _again(arguments: argparse.Namespace) -> _Setup:
    """Return the match of a replay to play again; the seats keep their names, which the hash includes.

    Raises:
        UserError: the replay cannot be read, or does not fit the other arguments.
    """
    if arguments.seed is not None or arguments.option:
        raise UserError("Seed and options are those of the replay: leave --seed and --option out.")
    if arguments.ruleset is not None:
        raise UserError("The ruleset is that of the replay: leave --ruleset out.")
    try:
        first, *_, footer = decode(arguments.original.read_bytes())
        header = msgspec.convert(first, Header)
        game = rules_of(header)
    except (BadReplay, ReplayMismatch) as error:
        raise UserError(str(error)) from error
    except OSError as error:
        raise UserError(f"{arguments.original} cannot be read: {error.strerror}.") from error
    who = [f"seat {number}: {seat.name} {seat.version} {seat.digest}" for number, seat in enumerate(header.seats)]
    say("\n".join(line.rstrip() for line in who))
    if len(arguments.words) != len(header.seats):
        raise UserError(f"The replay has {len(header.seats)} seats: give a command for each, in their order.")
    return _Setup(game, header.seed, header.options, header.seats, arguments.words, footer["hash"])


def _compare(expected: str, made: str) -> None:
    if expected == made:
        say(f"\nIt came out the same: both hashes are {expected}.")
    else:
        say(f"\nIt came out differently.\nhash then: {expected}\nhash now:  {made}")


def _start(stack: ExitStack, start: Start, command: str) -> RunningBot:
    try:
        return stack.enter_context(start(command))
    except (OSError, ValueError) as error:
        raise UserError(f"The bot {command!r} cannot be started: {error}.") from error


def _play(
    setup: _Setup, bots: list[RunningBot], log: list[LoggedTurn], *, watch: bool
) -> tuple[Outcome, list[JsonObject]]:
    """Play the match, and add to ``log`` what the bots were asked and wrote."""
    match = play(setup.game, seed=setup.seed, seats=setup.seats, options=setup.options)

    def answers(turn: Turn) -> Mapping[int, Reply]:
        if watch:
            _show(setup, turn.records)
        replies = {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks}
        log.extend(logged(turn.number, ask, replies[ask.seat]) for ask in turn.asks)
        return replies

    try:
        outcome, records = drive(match, answers)
    except BadOptions as error:
        raise UserError(str(error)) from error
    if watch:
        _show(setup, outcome.records)
    return outcome, records


def _show(setup: _Setup, records: tuple[JsonObject, ...]) -> None:
    bots = told_apart([seat.name for seat in setup.seats])
    for record in records:
        if "frame" in record:
            say(frame_text(record, setup.words, bots))


def _report(setup: _Setup, outcome: Outcome, stderr_tails: list[str]) -> None:
    commands = setup.commands
    say(f"\nThe match ended after {outcome.turns} turns.")
    order = sorted(range(len(commands)), key=outcome.ranks.__getitem__)
    rows = [(f"seat {seat}: {commands[seat]}", f"{outcome.scores[seat]:g}", str(outcome.ranks[seat])) for seat in order]
    say(table([("bot", "score", "rank"), *rows]))
    for seat, (fault, tail) in enumerate(zip(outcome.faults, stderr_tails, strict=True)):
        if fault:
            say(f"\nSeat {seat}, turn {fault.turn}, {fault.verdict}: {setup.words.sentence(fault.why)}")
            say(f"The end of its standard error:\n{tail}" if tail else "It wrote nothing to standard error.")
    for seat, forgiven in enumerate(outcome.forgiven):
        if forgiven:
            say(f"\nSeat {seat}: {setup.words.sentence(forgiven.message)}")
