"""Answer questions about a game's rules: JSON lines in, JSON lines out.

A question that cannot be answered gets {"error": sentence}, and the next one is read.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from typing import Any

import msgspec

import core
from core.game import BadRequest, JsonObject

Judge = Callable[[JsonObject], JsonObject]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``judge``."""
    parser.add_argument("game", choices=core.games())


def run(arguments: argparse.Namespace) -> int:
    """Answer standard input on standard output until it ends."""
    judge: Judge = importlib.import_module(f"core.{arguments.game}.judge").judge
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.buffer.write(msgspec.json.encode(answer(judge, line)) + b"\n")
            sys.stdout.buffer.flush()
    return 0


def answer(judge: Judge, line: bytes) -> dict[str, Any]:
    """Return the judge's answer to one line, or what is wrong with the line."""
    try:
        return judge(msgspec.json.decode(line, type=dict[str, Any]))
    except RecursionError:
        return {"error": "The request is nested too deeply."}
    except (BadRequest, msgspec.DecodeError, UnicodeDecodeError) as error:
        return {"error": f"The request is not understood: {error}"}
