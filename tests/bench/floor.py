"""The floor of this machine: the same bots and the same lines over plain pipes, with no rules, walls or clock.

What a match costs above it is ours: referee and rules, walls and clocks. What lies below it nobody can have: two starts
of an interpreter, 400 answers, and the pipes between.
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
"""The match that is measured everywhere: ``GOOD_BOT`` stands still on both seats."""


class Question(NamedTuple):
    """What one seat is asked, as it goes over the pipe."""

    seat: int
    text: bytes
    answer_lines: int


def plain_match(argv: Sequence[str], folder: Path) -> Callable[[], None]:
    """Return a function that starts two bots, asks them what they are asked in the measured match, and ends them."""
    questions = []

    def stand_still(turn: Turn) -> dict[int, Reply]:
        for ask in turn.asks:
            questions.append(Question(ask.seat, "".join(f"{line}\n" for line in ask.lines).encode(), ask.answer_lines))
        return {ask.seat: Reply(["NONE"] * ask.answer_lines) for ask in turn.asks}

    outcome, _ = drive(
        play(game_named(GAME), seed=SEED, seats=[SeatInfo("one"), SeatInfo("two")], options=OPTIONS), stand_still
    )
    assert outcome.turns == TURNS

    def play_plainly() -> None:
        with ExitStack() as stack:
            bots = [stack.enter_context(pipes(argv, folder)) for _ in range(2)]
            for question in questions:
                ask(bots[question.seat], question.text, question.answer_lines)

    return play_plainly


def pipes(argv: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a plain process."""
    return subprocess.Popen(argv, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def ask(process: subprocess.Popen[bytes], text: bytes, answer_lines: int = 1) -> None:
    """Write a question and read the answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    os.write(process.stdin.fileno(), text)
    while answer_lines > 0:
        answer = os.read(process.stdout.fileno(), 65_536)
        assert answer, "the bot has ended"
        answer_lines -= answer.count(b"\n")
