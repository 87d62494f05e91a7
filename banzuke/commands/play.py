"""Play a match at home, with the referee of the arena.

Each COMMAND is a bot: its folder, its only source file, `house:NAME` for a house bot, or what you would type to start
it, in quotes: "python3 my_bot/main.py". Folders and files are built and started as the arena does it.

Without --sandbox the bots run as you and may do what you may: play only with bots you trust. On Linux an answer is
charged the CPU time of the bot's process, elsewhere wall time; the first answer may take 5 s more, for the start. With
--sandbox (Linux only) isolation, limits and clock are those of the arena.

With --no-clock no answer comes too late: you can stop a bot in a debugger for as long as you like.

With --from a match is played again: game, seed, options and the names of the seats are those of the replay, the bots
are yours, in the order of its seats. Whether the hash is equal tells whether it came out the same. A bot that looks at
the clock or draws numbers of its own does not play the same match twice.
"""

from __future__ import annotations

import argparse
import os
import secrets
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from tqdm import tqdm

from banzuke.arguments import add_variant, options_chosen
from banzuke.bots import RANDOM, bot_ready, house_bots, house_bots_able
from banzuke.commands.options import add_sandbox
from banzuke.frames import frame_text, told_apart
from banzuke.isolation import bot_running, sandbox_opened
from banzuke.local import RunningBot
from banzuke.replays import replay_read
from banzuke.text import UserError, os_errors_told, say, table
from banzuke.turnlog import LoggedTurn, log_write, logged
from core.arguments import positive, seed, whole
from core.game import Game, JsonObject
from core.record import Header
from core.referee import Outcome, Reply, SeatInfo, Turn, drive, play
from core.replay import encode
from core.text import printable
from games.registry import game_missing, game_named, game_names
from games.replays import rules_of
from games.words import ENGLISH, Words, words_of
from sandbox.api import Sandbox


@dataclass(frozen=True, slots=True)
class _Setup:
    """The match to play and the arguments that name its bots."""

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
    parser.add_argument("--players", type=positive, help="at the table; house bots take the seats that are left")
    parser.add_argument("--talk", type=whole, metavar="SEAT", help="print what this seat is asked and answers")
    parser.add_argument("--no-clock", action="store_true", help="let answers take any time, for a debugger")
    parser.add_argument("--strict", action="store_true", help="end with exit code 1 if a bot was at fault")
    add_sandbox(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print how it ended."""
    setup = _again(arguments) if arguments.original else _fresh(arguments)
    if setup.seats and arguments.talk is not None and arguments.talk not in range(len(setup.seats)):
        raise UserError(f"There is no seat {arguments.talk}: --talk is one from 0 to {len(setup.seats) - 1}.")
    if arguments.no_clock and arguments.sandbox:
        raise UserError("A sandbox always has its clock: give --no-clock without --sandbox.")
    path: Path | None = arguments.replay
    if path and (
        path.is_dir() or not (path.parent.is_dir() and os.access(path if path.exists() else path.parent, os.W_OK))
    ):
        raise UserError(f"The replay cannot be written to {path}: is there such a folder, and may you write there?")
    with sandbox_opened(arguments.sandbox) as backend, ExitStack() as stack:
        isolation = f"In the sandbox {backend.name}." if backend else "No sandbox: the bots run with your rights."
        clock = " No clock: answers may take any time." if arguments.no_clock else ""
        say(f"{setup.game.title}, seed {setup.seed}. {isolation}{clock}")
        bots = [_started(stack, word, setup, backend, clock=not arguments.no_clock) for word in setup.commands]
        log: list[LoggedTurn] = []
        outcome, records = _play(setup, bots, log, arguments)
        _report(setup, outcome, [bot.stderr_tail() for bot in bots])
    if setup.hash:
        _compare(setup.hash, records[-1]["hash"])
    if path:
        with os_errors_told(f"The replay cannot be written to {path}"):
            path.write_bytes(encode(records))
        log_write(path, log)
    return int(arguments.strict and any(outcome.faults))


def _fresh(arguments: argparse.Namespace) -> _Setup:
    """Return the match that the arguments describe.

    Raises:
        UserError: there is no such game, or ``--players`` cannot be met.
        BadOptions: the game cannot be played with these options.
    """
    name, *commands = arguments.words or [""]
    if name not in game_names():
        games = ", ".join(game_names())
        raise UserError(
            game_missing(name) if name else f"Name a game and a command for each seat; choose one of: {games}."
        )
    game = game_named(name)
    if arguments.players:
        commands += _house_bots(arguments, game, len(commands))
    drawn = secrets.randbelow(2**63) if arguments.seed is None else arguments.seed
    seats = [SeatInfo(printable(command)) for command in commands]
    return _Setup(game, drawn, options_chosen(arguments, game, len(commands)), seats, commands)


def _house_bots(arguments: argparse.Namespace, game: Game[Any], given: int) -> list[str]:
    """Return the house bots for the seats that the ``given`` bots of the user leave, the lowest declared rating first.

    Raises:
        UserError: the user gave more bots than seats, or no house bot can play.
    """
    missing = arguments.players - given
    if missing < 0:
        raise UserError(f"--players {arguments.players} is less than the {given} bots that you name: leave it out.")
    if not missing:
        return []
    able = house_bots_able(game, options_chosen(arguments, game, arguments.players), arguments.players)
    if not able and house_bots(game.name):
        raise UserError(f"No house bot of {game.title} can play this: name a bot for each seat.")
    known = {word: able[word] or house_bots(game.name)[word].description.declared_rating or 0 for word in able}
    weakest = sorted(known, key=known.__getitem__) or [RANDOM]
    return [weakest[number % len(weakest)] for number in range(missing)]


def _again(arguments: argparse.Namespace) -> _Setup:
    """Return the match of a replay to play again; the seats keep their names, which the hash includes.

    Raises:
        UserError: the replay cannot be read, or does not fit the other arguments.
        ReplayMismatch: the rules of the replay are not here.
    """
    if arguments.seed is not None or arguments.option:
        raise UserError("Seed and options are those of the replay: leave --seed and --option out.")
    if arguments.ruleset is not None:
        raise UserError("The ruleset is that of the replay: leave --ruleset out.")
    first, *_, footer = replay_read(arguments.original)
    header = msgspec.convert(first, Header)
    game = rules_of(header)
    who = [f"seat {number}: {seat.name} {seat.version} {seat.digest}" for number, seat in enumerate(header.seats)]
    say("\n".join(line.rstrip() for line in who))
    if len(arguments.words) != len(header.seats):
        raise UserError(f"The replay has {len(header.seats)} seats: give a command for each, in their order.")
    return _Setup(game, header.seed, header.options, header.seats, arguments.words, footer["hash"])


def _started(stack: ExitStack, command: str, setup: _Setup, backend: Sandbox | None, *, clock: bool) -> RunningBot:
    bot = bot_ready(command, game=setup.game.name, backend=backend)
    try:
        return stack.enter_context(bot_running(bot, backend, clock=clock))
    except (OSError, ValueError) as error:
        raise UserError(f"The bot {command!r} cannot be started: {error}.") from error


def _play(
    setup: _Setup, bots: list[RunningBot], log: list[LoggedTurn], arguments: argparse.Namespace
) -> tuple[Outcome, list[JsonObject]]:
    """Play the match and return its outcome and its records; add to ``log`` what the bots were asked and wrote."""
    match = play(setup.game, seed=setup.seed, seats=setup.seats, options=setup.options)
    quiet = True if arguments.talk is not None or arguments.watch else None
    with tqdm(unit=" answers", disable=quiet, leave=False) as bar:

        def answers(turn: Turn) -> dict[int, Reply]:
            if arguments.watch:
                _show(setup, turn.records)
            replies = {}
            for ask in turn.asks:
                reply = replies[ask.seat] = bots[ask.seat].ask(ask)
                log.append(logged(turn.number, ask, reply))
                if ask.seat == arguments.talk:
                    say("\n".join([*(f"> {line}" for line in ask.lines), *(f"< {line}" for line in reply.lines)]))
                bar.update()
            return replies

        outcome, records = drive(match, answers)
    if arguments.watch:
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


def _compare(expected: str, made: str) -> None:
    if expected == made:
        say(f"\nIt came out the same: both hashes are {expected}.")
    else:
        say(f"\nIt came out differently.\nhash then: {expected}\nhash now:  {made}")
