"""Benchmark cases of Wondev Woman, on positions that random players reach."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from functools import partial

import numpy as np

from games.wondev_woman import WondevWoman, actions, rules, view
from games.wondev_woman.state import State
from tests.bench.rules import Case
from tests.games.wondev_woman import plain

_GAME = WondevWoman()
_OPENING_PLIES = 20
_PLAIN_BOARDS = 64


def _position(boards: int) -> State:
    """Return boards of all three kinds of map after ``_OPENING_PLIES`` random turns."""
    rng = np.random.default_rng(0)
    state = _GAME.reset(range(boards))
    for _ in range(_OPENING_PLIES):
        state = _random_step(state, rng)
    return state


def _random_step(state: State, rng: np.random.Generator) -> State:
    """Return the state, with its legal actions, after a random legal action."""
    return rules.step(state, actions.pick(state.legal, rng.random(state.boards, np.float32)))


def _stepping(boards: int) -> Callable[[], object]:
    return partial(_random_step, _position(boards), np.random.default_rng(1))


def _plain_board(state: State, b: int) -> plain.Board:
    """Return a board in the form of the plain reference."""
    rows, (first, second) = view.rows(state, b), view.places(state, b)
    heights = {(x, y): int(char) for y, row in enumerate(rows) for x, char in enumerate(row) if char != "."}
    return plain.Board(state.league.number, heights, (tuple(first), tuple(second)), ply=int(state.ply[b]))


def _plain_choice(board: plain.Board, dice: random.Random) -> str:
    return dice.choice(plain.legal(board, board.seat) or ["ACCEPT-DEFEAT"])


def _plain_stepping() -> Callable[[], object]:
    state, dice = _position(_PLAIN_BOARDS), random.Random(1)  # noqa: S311 - dice
    boards = itertools.cycle([_plain_board(state, b) for b in range(_PLAIN_BOARDS)])

    def step() -> object:
        board = next(boards)
        return plain.play(board, _plain_choice(board, dice))

    return step


def _plain_hosting() -> Callable[[], object]:
    """Return a function that plays one turn with question and answer, in plain Python.

    Each call takes the next position of a match.
    """
    dice = random.Random(1)  # noqa: S311 - dice
    match = [_plain_board(_GAME.reset([0]), 0)]
    while not match[-1].over:
        match.append(plain.play(match[-1], _plain_choice(match[-1], dice)))
    boards = itertools.cycle([(board, _plain_choice(board, dice)) for board in match[:-1]])

    def turn() -> object:
        board, answer = next(boards)
        plain.lines(board, board.seat)
        legal = [*plain.legal(board, board.seat), "ACCEPT-DEFEAT"]
        return plain.play(board, answer) if answer in legal else None

    return turn


PLAIN_STEP = _plain_hosting
CASES = [
    Case(
        "random step with legal actions",
        4_096,
        "steps",
        partial(_stepping, 4_096),
        "wondev_woman",
        plain=_plain_stepping,
    ),
]
