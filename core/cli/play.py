"""Play a match at home between programs, with the referee of the arena but without its sandbox.

Each COMMAND is what you would type to start the bot, in quotes: "python3 my_bot/main.py". The bots run as you and may
do what you may: play only with bots you trust. On Linux an answer is charged the CPU time of the bot's process,
elsewhere wall time; the first answer may take 5 s more, for the start.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

import core
from core.cli.text import UserError, printable, say, table
from core.game import BadOptions, Event, JsonObject
from core.local import LocalBot, local_bot
from core.referee import Outcome, Reply, SeatInfo, Turn, drive, play
from core.replay import encode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``play``."""
    parser.add_argument("game", choices=core.games())
    parser.add_argument("commands", metavar="COMMAND", nargs="+", help="starts a bot; one for each seat")
    parser.add_argument("--seed", type=_seed, help="of the match (default: a random one, which is printed)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="of the game; NAME=@FILE reads the value from a JSON file",
    )
    parser.add_argument("--replay", type=Path, metavar="FILE", help="write the replay to this file")
    parser.add_argument("--watch", action="store_true", help="print every frame")


def run(arguments: argparse.Namespace) -> int:
    """Play the match and print how it ended."""
    seed = secrets.randbelow(2**63) if arguments.seed is None else arguments.seed
    say(f"{core.game(arguments.game).title}, seed {seed}. No sandbox: the bots run with your rights.")
    with ExitStack() as stack:
        bots = [_start(stack, command) for command in arguments.commands]
        outcome, records = _play(arguments, seed, bots)
        _report(arguments.commands, outcome, [bot.stderr_tail() for bot in bots])
    if arguments.replay:
        _save(arguments.replay, records)
    return 0


def _seed(text: str) -> int:
    seed = int(text)
    if not 0 <= seed < 2**63:
        raise argparse.ArgumentTypeError("a seed is at least 0 and less than 2**63")
    return seed


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, _json_file(value[1:]) if value.startswith("@") else value


def _json_file(path: str) -> Any:
    try:
        return msgspec.json.decode(Path(path).read_bytes())
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise argparse.ArgumentTypeError(f"{path} is no JSON: {error}") from error


def _start(stack: ExitStack, command: str) -> LocalBot:
    try:
        return stack.enter_context(local_bot(command))
    except (OSError, ValueError) as error:
        raise UserError(f"The bot {command!r} cannot be started: {error}.") from error


def _play(arguments: argparse.Namespace, seed: int, bots: list[LocalBot]) -> tuple[Outcome, list[JsonObject]]:
    seats = [SeatInfo(command) for command in arguments.commands]
    match = play(core.game(arguments.game), seed=seed, seats=seats, options=dict(arguments.option))

    def answers(turn: Turn) -> Mapping[int, Reply]:
        _watch(arguments, turn.records)
        return {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks}

    try:
        outcome, records = drive(match, answers)
    except BadOptions as error:
        raise UserError(str(error)) from error
    _watch(arguments, outcome.records)
    return outcome, records


def _watch(arguments: argparse.Namespace, records: tuple[JsonObject, ...]) -> None:
    for record in records:
        if arguments.watch and "frame" in record:
            say(printable(_frame_text(record)))


def _frame_text(record: JsonObject) -> str:
    """Return a frame as text: lists of strings are pictures, row by row, the rest is JSON."""
    lines = [""]
    for name, value in record["frame"].items():
        picture = value and isinstance(value, list) and all(isinstance(row, str) for row in value)
        lines += value if picture else [f"{name}: {msgspec.json.encode(value).decode()}"]
    return "\n".join([*lines, *map(_event_text, record.get("events", ()))])


def _event_text(event: Event) -> str:
    return event["text"] if event["seat"] is None else f"Seat {event['seat']}: {event['text']}"


def _report(commands: list[str], outcome: Outcome, stderr_tails: list[str]) -> None:
    say(f"\nThe match ended after {outcome.turns} turns.")
    order = sorted(range(len(commands)), key=outcome.ranks.__getitem__)
    rows = [(f"seat {seat}: {commands[seat]}", f"{outcome.scores[seat]:g}", str(outcome.ranks[seat])) for seat in order]
    say(printable(table([("bot", "score", "rank"), *rows])))
    for seat, (fault, tail) in enumerate(zip(outcome.faults, stderr_tails, strict=True)):
        if fault:
            say(printable(f"\nSeat {seat}, turn {fault.turn}, {fault.verdict}: {fault.sentence}"))
            say(printable(f"The end of its standard error:\n{tail}" if tail else "It wrote nothing to standard error."))


def _save(path: Path, records: list[JsonObject]) -> None:
    try:
        path.write_bytes(encode(records))
    except OSError as error:
        raise UserError(f"The replay cannot be written to {path}: {error.strerror}.") from error
