"""The legal choices are exactly the actions of possible answers."""

from __future__ import annotations

import numpy as np

from core.game import IllegalAnswer
from core.playout import random_choices
from games.back_to_the_code import BackToTheCode

GAME = BackToTheCode()
LINES = [f"{x} {y}" for x in range(3) for y in range(2)] + [f"BACK {rounds}" for rounds in range(27)]


def test_choices_are_the_actions_of_answers() -> None:
    rng = np.random.default_rng(0)
    state = GAME.reset([1], 3, {"width": 3, "height": 2, "rounds": 60})
    seen = set()
    while not state.over[0]:
        legal = GAME.legal(state)
        for seat in range(3):
            meant = set()
            for line in LINES:
                try:
                    meant.add(int(GAME.parse(state, 0, seat, [line])))
                except IllegalAnswer:
                    continue
            assert meant == set(np.flatnonzero(legal[0, seat]).tolist())
            seen.add(len(meant))
        legal[..., 5:] &= rng.integers(20) == 0
        state = GAME.step(state, GAME.choose(state, random_choices(legal, rng)))
    assert len(seen) > 2
