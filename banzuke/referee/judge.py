"""Answer questions about a game's rules: JSON lines in, JSON lines out.

A question that cannot be answered gets {"error": sentence}, and the next one is read. With --text all of standard input
is one question, and one that cannot be answered ends with exit status 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, BinaryIO

import msgspec

from banzuke.text import UserError
from core.game import BadRequest, JsonObject
from games.registry import game_names, game_part

Judge = Callable[[JsonObject], JsonObject]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``judge``."""
    parser.add_argument("game", choices=game_names())
    parser.add_argument("--text", action="store_true", help="one question as text, for the games that have this form")


def run(arguments: argparse.Namespace) -> int:
    """Answer standard input on standard output until it ends."""
    module = game_part(arguments.game, "judge")
    questions = _standard_input()
    if arguments.text:
        sys.stdout.write(answer_text(module, questions.read()))
        return 0
    for line in questions:
        if line.strip():
            sys.stdout.buffer.write(msgspec.json.encode(answer(module.judge, line)) + b"\n")
            sys.stdout.buffer.flush()
    return 0


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise UserError("Standard input is closed, but the questions are read from there.")
    return sys.stdin.buffer


def answer(judge: Judge, line: bytes) -> dict[str, Any]:
    """Return the judge's answer to one line of JSON, or an object with the key ``error``."""
    try:
        return judge(msgspec.json.decode(line, type=dict[str, Any]))
    except RecursionError:
        return {"error": "The request is nested too deeply."}
    except (BadRequest, msgspec.DecodeError, UnicodeDecodeError) as error:
        return {"error": f"The request is not understood: {error}"}


def answer_text(module: ModuleType, text: bytes) -> str:
    """Return the answer of a game's ``judge_text``.

    Raises:
        UserError: the game has no ``judge_text``, or the question cannot be answered.
    """
    if not hasattr(module, "judge_text"):
        raise UserError("This game is judged by JSON lines only: leave out --text.")
    try:
        answer: str = module.judge_text(text.decode())
    except (BadRequest, UnicodeDecodeError) as error:
        raise UserError(f"The request is not understood: {error}") from error
    return answer
