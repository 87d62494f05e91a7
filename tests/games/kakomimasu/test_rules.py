"""Scores, places, faults and the end of a match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from core.game import Actions
from games.kakomimasu import State, rules
from games.kakomimasu.state import coordinates, tally, wall_bit
from games.registry import game_named
from tests.games.kakomimasu.test_protocol import BOARD, play

GAME = game_named("kakomimasu")


def roving(state: State, rng: np.random.Generator) -> Actions:
    """Return random orders for all agents: to near cells, also over the rim, to remove walls, and senseless ones."""
    actions = GAME.idle(state)
    shape = actions.shape[:-1]
    x, y = (place.transpose(2, 0, 1) for place in coordinates(state, state.agents))
    off = x < 0
    actions[..., 0] = np.where(off, 1, rng.choice([2, 3, 3, 3, 3, 4], shape))
    actions[..., 1] = np.where(off, rng.integers(0, 12, shape), x + rng.integers(-1, 2, shape))
    actions[..., 2] = np.where(off, rng.integers(0, 12, shape), y + rng.integers(-1, 2, shape))
    return actions


def random_match(boards: int, players: int) -> Iterator[State]:
    """Yield the states of matches in which all agents get random orders."""
    rng = np.random.default_rng(0)
    state: State = GAME.reset(range(boards), players)
    yield state
    while not GAME.over(state).all():
        state = GAME.step(state, roving(state, rng))
        yield state


@pytest.mark.parametrize("players", [2, 3, 4])
def test_invariants(players: int) -> None:
    """In a batch of all sizes, scores are those of the cells, and agents stand alone on walls of their seats."""
    boards = 30
    for state in random_match(boards, players):
        assert np.array_equal(state.scores, tally(state.points, state.cells, players))
        assert (np.bitwise_count(state.cells) <= 1).all()
        for b in range(boards):
            on_board = state.agents[..., b][state.agents[..., b] > 0]
            assert len(set(on_board.tolist())) == len(on_board)
            for seat in range(players):
                under = state.cells[state.agents[seat, :, b], b]
                assert (under[state.agents[seat, :, b] > 0] == wall_bit(seat)).all()
    assert (state.played == state.turns).all()
    assert (tally(state.points, state.cells, players)[:, 1] > 0).any()


@pytest.mark.parametrize("cells", [1, 1000])
def test_blocks_of_boards_change_nothing_but_the_time(monkeypatch: pytest.MonkeyPatch, cells: int) -> None:
    at_once = list(random_match(9, 3))
    monkeypatch.setattr(rules, "_BLOCK_CELLS", cells)
    for state, other in zip(at_once, random_match(9, 3), strict=True):
        assert GAME.frame(state, 8) == GAME.frame(other, 8)
        assert np.array_equal(state.cells, other.cells)
        assert np.array_equal(state.scores, other.scores)


def scored(*points: tuple[int, int], out: tuple[int, ...] = ()) -> Any:
    """Return the places of seats with these points of walls and area."""
    state = GAME.reset([0], len(points), {"board": BOARD})
    state.scores[..., 0] = points
    for seat in out:
        state = GAME.disqualify(state, 0, seat)
    return GAME.ranks(state)[0].tolist()


@pytest.mark.parametrize(
    ("points", "out", "places"),
    [
        ([(3, 4), (5, 1)], (), [1, 2]),
        ([(3, 4), (5, 2)], (), [2, 1]),
        ([(3, 4), (3, 4)], (), [1, 1]),
        ([(-5, 0), (-9, 4), (0, 0)], (), [2, 3, 1]),
        ([(1, 1), (1, 1), (9, 9), (0, 2)], (), [2, 2, 1, 4]),
        ([(9, 9), (0, 0)], (0,), [2, 1]),
        ([(9, 9), (0, 0), (1, 0), (5, 0)], (0, 3), [3, 2, 1, 3]),
    ],
)
def test_places(points: list[tuple[int, int]], out: tuple[int, ...], places: list[int]) -> None:
    assert scored(*points, out=out) == places


def test_a_disqualified_seat_stands_still_and_its_agents_stay_in_the_way() -> None:
    state = play(GAME.reset([0], 2, {"board": BOARD}), ["PUT 0 0", "NONE"], ["PUT 1 0", "NONE"])
    state = GAME.disqualify(state, 0, 1)
    assert GAME.to_move(state).tolist() == [[True, False]]
    state = play(state, ["REMOVE 1 0", "PUT 2 1"], ["MOVE 2 0", "PUT 1 1"])
    assert GAME.frame(state, 0) == {
        "turn": 2,
        "tiles": ["AB.", "..A"],
        "agents": [[[0, 0], [2, 1]], [[1, 0], [-1, -1]]],
        "points": [[-15, 0], [-2, 0]],
        "results": [[2, 0], [-1, -1]],
    }
    assert GAME.ranks(state).tolist() == [[1, 2]]
