"""Benchmark cases of Kakomimasu, on positions that random players reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from core.enclosure import enclosed
from core.game import Actions, JsonObject
from games.kakomimasu import Kakomimasu, judge, protocol, rules
from games.kakomimasu.state import WALL_BITS, Kind, State, coordinates, spots
from tests.bench.rules import Case
from tests.games.kakomimasu import plain

_GAME = Kakomimasu()
_OPENING_TURNS = 25


class _Size(NamedTuple):
    width: int
    height: int
    seats: int
    agents: int

    def position(self, boards: int) -> State:
        """Return boards of this size in the middle of matches of random players."""
        points = np.random.default_rng(0).integers(-16, 17, self.width * self.height).tolist()
        board = {"width": self.width, "height": self.height, "points": points, "nAgent": self.agents, "totalTurn": 60}
        return _opened(_GAME.reset(range(boards), self.seats, {"board": board}))


def _opened(state: State) -> State:
    """Return the state after ``_OPENING_TURNS`` random turns."""
    rng = np.random.default_rng(0)
    for _ in range(_OPENING_TURNS):
        state = _GAME.step(state, _random_actions(state, rng))
    return state


def _random_actions(state: State, rng: np.random.Generator) -> Actions:
    """Return random actions: agents move to neighbours or remove foreign walls there; those off the board are put."""
    placed = state.agents != 0
    x, y = coordinates(state, state.agents)
    x = np.where(placed, x + rng.integers(-1, 2, x.shape), rng.integers(0, state.width, x.shape))
    y = np.where(placed, y + rng.integers(-1, 2, y.shape), rng.integers(0, state.height, y.shape))
    code = np.take_along_axis(state.cells, spots(state, x, y).reshape(-1, state.boards), axis=0).reshape(x.shape)
    own = (1 << np.arange(len(x)))[:, None, None]
    foreign = code & WALL_BITS & ~own != 0
    kind = np.where(placed, np.where(foreign, Kind.REMOVE, Kind.MOVE), Kind.PUT)
    return np.stack([kind, x, y]).astype(np.int16).transpose(3, 1, 2, 0)


def _enclosing(size: _Size, boards: int) -> Callable[[], object]:
    return partial(enclosed, rules.walls(size.position(boards)))


def _enclosing_plainly(size: _Size) -> Callable[[], object]:
    return plain.Board(_request(size.position(1))).enclose


def _turning(size: _Size, boards: int) -> Callable[[], object]:
    state = size.position(boards)
    return partial(_GAME.step, state, _random_actions(state, np.random.default_rng(1)))


def _turning_plainly(size: _Size) -> Callable[[], object]:
    return partial(_plain_turn, _request(size.position(1)))


def _stepping_plainly() -> Callable[[], object]:
    """Return a function that plays one turn, in plain Python, of the board that ``step_case`` plays."""
    return partial(_plain_turn, _request(_opened(_GAME.reset([0]))))


def _plain_turn(request: JsonObject) -> list[list[int]]:
    turn = plain.Turn(request)
    turn.play()
    return turn.board.points()


def _request(state: State) -> JsonObject:
    """Return a single board with random orders as a question to the judge."""
    orders = _random_actions(state, np.random.default_rng(1))[0].tolist()
    return {
        "w": int(state.width[0]),
        "h": int(state.height[0]),
        "nplayer": len(state.agents),
        "points": [value for row in protocol.points(state, 0) for value in row],
        "field": judge.field(state),
        "agents": protocol.agents(state, 0),
        "actions": [[[agent, *order] for agent, order in enumerate(seat)] for seat in orders],
    }


def _enclosure(key: str, size: _Size) -> Case:
    name, boards = f"enclosure {size.width}x{size.height}, {size.seats} seats", 16_384
    work = partial(_enclosing, size, boards)
    return Case(name, boards, "boards", work, key, plain=partial(_enclosing_plainly, size))


def _turns(key: str, size: _Size) -> Case:
    name, boards = f"turn {size.width}x{size.height}, {size.seats} seats of {size.agents}", 4_096
    work = partial(_turning, size, boards)
    return Case(name, boards, "turns", work, key, plain=partial(_turning_plainly, size))


CASES = [
    _enclosure("fill_10x10_p2", _Size(10, 10, 2, 8)),
    _enclosure("fill_24x24_p2", _Size(24, 24, 2, 16)),
    _enclosure("fill_35x20_p4", _Size(35, 20, 4, 10)),
    _turns("kakomimasu_10x10", _Size(10, 10, 2, 8)),
    _turns("kakomimasu_24x24", _Size(24, 24, 2, 16)),
]
PLAIN_STEP = _stepping_plainly
