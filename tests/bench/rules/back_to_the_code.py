"""Benchmark cases of Back to the Code: rounds from all phases of matches of random players."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from core.playout import random_answers
from games.back_to_the_code import ROUNDS, BackToTheCode, rules
from games.back_to_the_code.starts import starts
from games.back_to_the_code.state import BACK_MAX, NEUTRAL, PAD, Action, Ints, State
from tests.bench.rules import Case
from tests.games.back_to_the_code import plain

_GAME = BackToTheCode()
_APART = 20
"""Number of rounds between the positions that are measured."""


def _match(seats: int, boards: int) -> Iterator[tuple[State, Ints]]:
    """Play random matches until one ends; yield each state with its actions (P, B)."""
    rng = np.random.default_rng(0)
    state = _GAME.reset(range(boards), seats)
    while not state.over.any():
        actions = _random_actions(state, rng)
        yield state, actions
        state = rules.step(state, actions)


def _random_actions(state: State, rng: np.random.Generator) -> Ints:
    """Return random actions (P, B): mostly steps to a neutral neighbour if there is any, and about one BACK."""
    stride = state.grid[1] + 2
    ways = np.array([-1, 1, -stride, stride])[:, None, None]
    code = state.cells.reshape(-1).take(state.spots + ways + np.arange(0, state.cells.size, state.cells.shape[1]))
    wish = rng.random(code.shape, np.float32) + 0.75 * (code == NEUTRAL) - 2 * (code == PAD)
    step = Action.LEFT + wish.argmax(axis=0)
    back = state.backs & (rng.random(step.shape) < 1 / state.limit)
    actions: Ints = np.where(back, Action.BACK + rng.integers(1, BACK_MAX + 1, step.shape), step).astype(np.int16)
    return actions


def _playing(seats: int, boards: int) -> Callable[[], object]:
    """Return a function that plays one round, of another position from the beginning to the end with each call."""
    positions = itertools.cycle(list(itertools.islice(_match(seats, boards), _APART // 2, None, _APART)))
    return lambda: rules.step(*next(positions))


def _plain(seats: int, lines: bool) -> Callable[[], object]:
    """Return a function that plays the next round of a match of random players, in plain Python.

    After the last round the match begins again.

    Args:
        seats: P.
        lines: whether a round includes the questions to the bots.
    """
    answers = random_answers(_GAME, seed=0, players=seats, options={})

    def rounds() -> Iterator[None]:
        while True:
            match = plain.Match(35, 20, starts(0, seats, (20, 35)), ROUNDS[seats])
            for turn in answers:
                if lines:
                    for seat in turn:
                        match.observation(seat)
                match.play([match.read(seat, line) for seat, (line,) in turn.items()])
                yield

    return partial(next, rounds())


PLAIN_STEP = partial(_plain, 2, True)

CASES = [
    Case(
        "round, 4 seats",
        4_096,
        "rounds",
        partial(_playing, 4, 4_096),
        key="back_to_the_code_p4",
        plain=partial(_plain, 4, False),
    ),
]
