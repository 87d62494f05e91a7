"""Random and greedy choices."""

from __future__ import annotations

import numpy as np
import pytest

from core.playout import greedy_choices, random_choices
from games.registry import game_named


@pytest.mark.parametrize("width", [1, 22, 64, 130])
def test_random_choices_are_legal_and_equally_likely(width: int) -> None:
    rng = np.random.default_rng(0)
    legal = rng.random((3, width)) < 0.5
    legal[0], legal[1, -1] = False, True
    drawn = random_choices(np.repeat(legal, 20_000, axis=0), rng).reshape(3, 20_000)
    assert (drawn[0] == -1).all()
    for row in (1, 2):
        counts = np.bincount(drawn[row] + 1, minlength=width + 1)[1:]
        expected = 20_000 / max(legal[row].sum(), 1)
        assert (counts[~legal[row]] == 0).all()
        assert (abs(counts[legal[row]] - expected) < 6 * expected**0.5).all()


@pytest.mark.parametrize("name", ["kakomimasu", "puyo"])
def test_a_greedy_seat_beats_a_random_one(name: str) -> None:
    game, rng, boards = game_named(name), np.random.default_rng(0), 12
    state = game.reset(range(boards), game.players[0])
    for _ in range(60):
        choices = random_choices(game.legal(state), rng)
        choices[:, 0] = greedy_choices(game, state, 0, rng)
        state = game.step(state, game.choose(state, choices))
    ahead, behind = game.scores(state).mean(axis=0)
    assert ahead > behind
