"""Parses values of command line options, for ``argparse``."""

from __future__ import annotations

import argparse
import codecs
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from core.game import Game, JsonObject
from core.variants import options_check
from games.registry import game_missing, game_names, games_broken


def game_name(text: str) -> str:
    """Return ``text``, the ``type`` of an argument whose ``choices`` refuse unknown names of games.

    Raises:
        argparse.ArgumentTypeError: a package brings the game, but it cannot be used.
    """
    if text in games_broken() and text not in game_names():
        raise argparse.ArgumentTypeError(game_missing(text))
    return text


def takes_game(parser: argparse.ArgumentParser) -> str:
    """Return how a command takes a game: "option" ``--game``, its first "word", or "" for not at all."""
    actions = parser._actions  # argparse has no public list of them
    if any("--game" in action.option_strings for action in actions):
        return "option"
    first = next((action for action in actions if not action.option_strings), None)
    return "word" if first and (first.dest == "game" or "GAME" in str(first.metavar)) else ""


def with_game(parser: argparse.ArgumentParser, argv: Sequence[str]) -> list[str]:
    """Return arguments with the game as the command takes it: users may name it first, or by ``--game``, everywhere."""
    way, own = takes_game(parser), list(argv[: argv.index("--")] if "--" in argv else argv)
    rest = list(argv[len(own) :])
    if way == "option" and own and own[0] in game_names():
        # A folder or a bot may have the name of a game, so there must be one word more than the command takes.
        words = next((place for place, word in enumerate(own) if word.startswith("-")), len(own))
        if words > sum(not action.option_strings for action in parser._actions):
            return [f"--game={own[0]}", *own[1:], *rest]
    if way == "word":
        for place, word in enumerate(own):
            name, equals, value = word.partition("=")
            if name == "--game" and (equals or place + 1 < len(own)):
                words = 1 if equals else 2
                return [value if equals else own[place + 1], *own[:place], *own[place + words :], *rest]
    return [*own, *rest]


def option(text: str) -> tuple[str, Any]:
    """Return name and value of a game option NAME=VALUE, or NAME=@FILE with the value in a JSON file.

    Raises:
        argparse.ArgumentTypeError: the text has no such form, or the file cannot be read.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, _json_file(value[1:]) if value.startswith("@") else value


def add_variant(parser: argparse.ArgumentParser) -> None:
    """Declare ``--ruleset`` and ``--option``."""
    parser.add_argument("--ruleset", metavar="NAME", help="of the game (default: the first one)")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=option,
        metavar="NAME=VALUE",
        help="of the game; NAME=@FILE reads the value from a JSON file",
    )


def options_chosen(arguments: argparse.Namespace, game: Game[Any], players: int) -> JsonObject:
    """Return the options of the matches that ``--ruleset`` and ``--option`` describe.

    Options without a ruleset are passed on as they are: ``Game.reset`` checks them.

    Raises:
        BadOptions: the game has no such ruleset, or cannot play it with these options and this number of players.
    """
    given = dict(arguments.option)
    return given if arguments.ruleset is None else options_check(game, arguments.ruleset, given, players)


def _json_file(path: str) -> Any:
    try:
        # Editors on Windows may write a byte-order mark, which readers may ignore (RFC 8259, section 8.1).
        return msgspec.json.decode(Path(path).read_bytes().removeprefix(codecs.BOM_UTF8))
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise argparse.ArgumentTypeError(f"{path} is no JSON: {error}") from error
