"""The legal choices are exactly the valid answers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from core.playout import random_choices
from games.attack25 import INVALID, Attack25, State
from games.attack25.state import CHIPS

GAME = Attack25()


def choices_of(state: State, seat: int) -> list[tuple[int, ...]]:
    """Return the actions of all legal choices of a seat."""
    numbers = np.flatnonzero(GAME.legal(state)[0, seat])
    return sorted(tuple(GAME.choose(state, np.full((1, 4), number))[0, seat].tolist()) for number in numbers)


def valid(state: State, seat: int) -> list[tuple[int, ...]]:
    """Return the actions of all valid answers."""
    picks = [f"{one} {other}" for one, other in product(range(27), repeat=2)]
    lines = [*map(str, range(CHIPS + 2)), *picks]
    parsed = (tuple(GAME.parse(state, 0, seat, [line]).tolist()) for line in lines)
    return sorted(action for action in parsed if INVALID not in action)


@pytest.mark.parametrize("mode", ["bid", "order"])
def test_choices_are_the_valid_answers(mode: str) -> None:
    rng = np.random.default_rng(0)
    state = GAME.reset([3], 4, {"mode": mode})
    while not state.over:
        for seat in np.flatnonzero(GAME.to_move(state)[0]).tolist():
            assert choices_of(state, seat) == valid(state, seat)
        state = GAME.step(state, GAME.choose(state, random_choices(GAME.legal(state), rng)))
