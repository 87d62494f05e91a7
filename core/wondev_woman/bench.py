"""What is measured of Wondev Woman, on positions that random players reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from core.bench import Case
from core.wondev_woman import WondevWoman, actions, rules
from core.wondev_woman.state import State

_GAME = WondevWoman()
_OPENING_PLIES = 20


def _position(boards: int) -> State:
    """Return boards of all three maps in the middle of matches of random players."""
    rng = np.random.default_rng(0)
    state = _GAME.reset(range(boards))
    for _ in range(_OPENING_PLIES):
        state = _random_step(state, rng)
    return state


def _random_step(state: State, rng: np.random.Generator) -> State:
    """Choose among all legal actions, play, and find the next legal actions."""
    return rules.step(state, actions.pick(state.legal, rng.random(state.boards, np.float32)))


def _stepping(boards: int) -> Callable[[], object]:
    return partial(_random_step, _position(boards), np.random.default_rng(1))


def _hosting() -> Callable[[], object]:
    """Return all that a match needs of the rules in one turn of a single board."""
    state = _position(1)
    seat = int(state.mover[0])
    answer = _GAME.random_answer(state, 0, seat, np.random.default_rng(1))

    def turn() -> object:
        played = _GAME.idle(state)
        _GAME.observe(state, 0, seat)
        played[0, seat] = _GAME.parse(state, 0, seat, answer)
        return _GAME.frame(_GAME.step(state, played), 0)

    return turn


CASES = [
    Case("random step with legal actions", 4_096, "steps", partial(_stepping, 4_096)),
    Case("turn with lines and frame", 1, "turns", _hosting),
]
