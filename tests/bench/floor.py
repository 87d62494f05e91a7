"""The lowest possible cost of a match on this machine: the same bots and lines over plain pipes, without a sandbox.

It consists of two starts of an interpreter, 400 answers, and the pipes. What a real match costs beyond it is the
cost of referee, rules, sandbox and clocks.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from core.referee import Reply, SeatInfo, Turn, drive, play
from games.registry import game_named

GAME, SEED, OPTIONS, TURNS = "kakomimasu", 1, {"board": "A-1", "turns": 200}, 200
"""The match that all benchmarks measure: ``GOOD_BOT``, which stands still, on both seats."""


class Question(NamedTuple):
    """A question to one seat, as it is written to the pipe."""

    seat: int
    text: bytes
    answer_lines: int


def plain_match(argv: Sequence[str], folder: Path) -> Callable[[], None]:
    """Return a function that starts two bots, asks them all questions of the measured match, and ends them."""
    questions = _questions()

    def play_plainly() -> None:
        with ExitStack() as stack:
            bots = [stack.enter_context(pipes(argv, folder)) for _ in range(2)]
            for question in questions:
                ask(bots[question.seat], question.text, question.answer_lines)

    return play_plainly


def pipes(argv: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a program as a plain process with pipes."""
    return subprocess.Popen(argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def ask(process: subprocess.Popen[bytes], text: bytes, answer_lines: int = 1) -> None:
    """Write a question to a process, and read an answer of so many lines."""
    assert process.stdin is not None
    assert process.stdout is not None
    os.write(process.stdin.fileno(), text)
    while answer_lines > 0:
        answer = os.read(process.stdout.fileno(), 65_536)
        assert answer, "the bot has ended"
        answer_lines -= answer.count(b"\n")


def _questions() -> list[Question]:
    asked = []

    def stand_still(turn: Turn) -> dict[int, Reply]:
        for ask in turn.asks:
            asked.append(Question(ask.seat, "".join(f"{line}\n" for line in ask.lines).encode(), ask.answer_lines))
        return {ask.seat: Reply(["NONE"] * ask.answer_lines) for ask in turn.asks}

    outcome, _ = drive(
        play(game_named(GAME), seed=SEED, seats=[SeatInfo("one"), SeatInfo("two")], options=OPTIONS), stand_still
    )
    assert outcome.turns == TURNS
    return asked
