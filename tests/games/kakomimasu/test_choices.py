"""The legal choices are exactly the orders that an agent can carry out if no other agent is in its way."""

from __future__ import annotations

from hashlib import sha256
from itertools import product

import numpy as np
import pytest

from core.playout import random_choices
from games.kakomimasu import Kakomimasu, Kind
from games.kakomimasu.state import Result, State

GAME = Kakomimasu()
BOARDS = {"width": 3, "height": 2, "points": [1, -2, 3, 4, -5, 6], "nAgent": 2, "totalTurn": 30}


def choices_of(state: State, seat: int, agent: int) -> set[tuple[int, ...]]:
    """Return the orders of all legal choices of an agent."""
    numbers = np.flatnonzero(GAME.legal(state)[0, seat, agent])
    choices = np.full((1, len(state.agents), state.agents.shape[1]), -1)
    orders = set()
    for choices[0, seat, agent] in numbers:
        orders.add(tuple(GAME.choose(state, choices)[0, seat, agent].tolist()))
    assert len(orders) == len(numbers)
    return orders


def carried_out(state: State, seat: int, agent: int) -> set[tuple[int, ...]]:
    """Return the orders that have an effect, and the order to stand."""
    orders: set[tuple[int, ...]] = {(Kind.STAND, 0, 0)}
    for kind, x, y in product(Kind, range(-1, 4), range(-1, 3)):
        actions = GAME.idle(state)
        actions[0, seat, agent] = kind, x, y
        if GAME.step(state, actions).results[seat, agent, 0] == Result.SUCCESS:
            orders.add((kind, x, y))
    return orders


@pytest.mark.parametrize("players", [2, 3])
def test_choices_are_the_orders_with_an_effect(players: int) -> None:
    """Cells on which agents stand are left out, because these agents may leave in the same turn."""
    rng = np.random.default_rng(0)
    state = GAME.reset([0], players, {"board": BOARDS})
    for _ in range(12):
        occupied = {(x, y) for seat in GAME.frame(state, 0)["agents"] for x, y in seat}
        for seat, agent in product(range(players), range(2)):
            orders, possible = choices_of(state, seat, agent), carried_out(state, seat, agent)
            assert possible <= orders
            assert {(x, y) for _, x, y in orders - possible} <= occupied
        state = GAME.step(state, GAME.choose(state, random_choices(GAME.legal(state), rng)))


def test_only_agents_off_the_board_are_put_and_on_their_board() -> None:
    """Boards of different sizes share a batch; cells beyond a smaller board are no choices on it."""
    state = GAME.reset(range(8), 2)
    (height, width), area = state.grid, state.width * state.height
    legal = GAME.legal(state)
    assert legal.shape == (8, 2, state.agents.shape[1], 17 + height * width)
    assert legal[:, :, 0].sum(axis=-1).tolist() == [[1 + cells] * 2 for cells in area.tolist()]
    for _ in range(20):
        state = GAME.step(state, GAME.choose(state, random_choices(GAME.legal(state), np.random.default_rng(1))))
    assert not GAME.legal(state)[state.agents.transpose(2, 0, 1) != 0, 17:].any()


def test_masks_are_those_of_earlier_versions() -> None:
    """Numbers of choices are what searches and networks learn: a faster mask must not change one."""
    rng, digest = np.random.default_rng(0), sha256()
    state = GAME.disqualify(GAME.reset(range(3), 4), 1, 2)
    while not GAME.over(state).all():
        legal = GAME.legal(state)
        digest.update(np.packbits(np.ascontiguousarray(legal)).tobytes())
        wish = np.where(legal, rng.random(legal.shape), -1).argmax(axis=-1)
        state = GAME.step(state, GAME.choose(state, wish, legal))
    assert digest.hexdigest() == "ac7370a1166ac191fa898e6e4439253470743057698518addef1390e0ec28488"
