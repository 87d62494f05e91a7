"""Benchmark cases of Attack 25: whole matches of random takes, each board with its own order of colours."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from games.attack25.panels import PANELS, Plane, chosen, pack, takes
from games.attack25.rules import sides, take_panels
from games.attack25.state import COLOURS
from tests.bench.rules import Case
from tests.games.attack25 import plain

_SEATS = len(COLOURS)
_BOARDS = 4_096


def _playing(boards: int) -> Callable[[], Plane]:
    """Return a function that plays the boards from empty to full with random takes."""
    rng = np.random.Generator(np.random.SFC64(0))
    seats = np.arange(_SEATS)[:, None]
    movers = [pack(seats == rng.integers(_SEATS, size=boards)) for _ in range(PANELS)]
    empty = np.zeros((_SEATS, PANELS + 1, -(-boards // 8)), np.uint8)

    def play() -> Plane:
        owned = empty
        for mover in movers:
            legal, _ = takes(*sides(owned, mover))
            owned = take_panels(owned, mover, chosen(legal, boards, rng))
        return owned

    return play


def _playing_plainly() -> Callable[[], plain.Board]:
    """Return a function that plays one board from empty to full, in plain Python."""
    dice = random.Random(0)  # noqa: S311 - no secret

    def play() -> plain.Board:
        board: plain.Board = {}
        for _ in range(PANELS):
            colour = dice.randrange(_SEATS)
            plain.take(board, colour, dice.choice(plain.legal(board, colour)[1]))
        return board

    return play


def _plain_turns() -> Iterator[plain.Match]:
    """Play matches with all lines of the protocol, in plain Python, and yield after each turn."""
    dice = random.Random(0)  # noqa: S311 - no secret
    while True:
        match = plain.Match(list(range(_SEATS)))
        while len(match.board) < PANELS:
            asked = [match.round_lines() for _ in match.order]
            answers = [str(dice.randint(0, int(chips) // 10)) for chips in asked[0][6].split()]
            winner = match.bid([int(answer) for answer in answers])
            yield match
            panel = dice.choice(match.pick_line(winner).split()[-1].split(","))
            match.pick(winner, (int(panel), int(panel) if match.chance else 0))
            yield match


def _turning_plainly() -> Callable[[], plain.Match]:
    """Return a function that plays one turn of one board, in plain Python."""
    return partial(next, _plain_turns())


CASES = [
    Case(
        "legal panels, choice, flips",
        _BOARDS * PANELS,
        "steps",
        partial(_playing, _BOARDS),
        key="attack25",
        plain=_playing_plainly,
        plain_batch=PANELS,
    ),
]

PLAIN_STEP = _turning_plainly
