"""Answer questions about a game's rules: JSON lines in, JSON lines out.

A question that cannot be answered gets {"error": sentence}, and the next one is read. With --text all of standard input
is one question, and one that cannot be answered ends with exit status 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from banzuke.arguments import game_name
from banzuke.text import UserError
from core.game import BadRequest, JsonObject
from core.numbers import whole_numbers
from games.registry import game_names, game_part

Judge = Callable[[JsonObject], JsonObject]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``judge``."""
    parser.add_argument("game", type=game_name, choices=game_names())
    parser.add_argument("--text", action="store_true", help="one question as text, for the games that have this form")


def run(arguments: argparse.Namespace) -> int:
    """Answer standard input on standard output until it ends."""
    module = game_part(arguments.game, "judge")
    if sys.stdin is None:
        raise UserError("Standard input is closed, but the questions are read from there.")
    questions = sys.stdin.buffer
    if arguments.text:
        if not hasattr(module, "judge_text"):
            raise UserError("This game is judged by JSON lines only: leave out --text.")
        try:
            sys.stdout.write(module.judge_text(questions.read().decode()))
        except (BadRequest, UnicodeDecodeError) as error:
            raise UserError(f"The request is not understood: {error}") from error
        return 0
    for line in questions:
        if line.strip():
            sys.stdout.buffer.write(msgspec.json.encode(answer(module.judge, line)) + b"\n")
            sys.stdout.buffer.flush()
    return 0


def answer(judge: Judge, line: bytes) -> dict[str, Any]:
    """Return the judge's answer to one line of JSON, or an object with the key ``error``."""
    try:
        return judge(msgspec.convert(whole_numbers(msgspec.json.decode(line)), dict[str, Any]))
    except RecursionError:
        return {"error": "The request is nested too deeply."}
    except (BadRequest, msgspec.DecodeError, UnicodeDecodeError) as error:
        return {"error": f"The request is not understood: {error}"}
