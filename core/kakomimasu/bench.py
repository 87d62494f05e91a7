"""What is measured of Kakomimasu, on positions that random players reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from core.bench import Case
from core.enclosure import enclosed
from core.game import Actions
from core.kakomimasu import Kakomimasu, rules
from core.kakomimasu.state import WALL_BITS, Kind, State, coordinates, spots

_GAME = Kakomimasu()
_OPENING_TURNS = 25


def _position(width: int, height: int, seats: int, agents: int, boards: int) -> State:
    """Return boards in the middle of matches of random players."""
    rng = np.random.default_rng(0)
    points = rng.integers(-16, 17, width * height).tolist()
    board = {"width": width, "height": height, "points": points, "nAgent": agents, "totalTurn": 60}
    state = _GAME.reset(range(boards), seats, {"board": board})
    for _ in range(_OPENING_TURNS):
        state = _GAME.step(state, _random_actions(state, rng))
    return state


def _random_actions(state: State, rng: np.random.Generator) -> Actions:
    """Let agents go to a random neighbour, removing foreign walls; put those off the board at random."""
    placed = state.agents != 0
    x, y = coordinates(state, state.agents)
    x = np.where(placed, x + rng.integers(-1, 2, x.shape), rng.integers(0, state.width, x.shape))
    y = np.where(placed, y + rng.integers(-1, 2, y.shape), rng.integers(0, state.height, y.shape))
    code = np.take_along_axis(state.cells, spots(state, x, y).reshape(-1, state.boards), axis=0).reshape(x.shape)
    own = (1 << np.arange(len(x)))[:, None, None]
    foreign = code & WALL_BITS & ~own != 0
    kind = np.where(placed, np.where(foreign, Kind.REMOVE, Kind.MOVE), Kind.PUT)
    return np.stack([kind, x, y]).astype(np.int16).transpose(3, 1, 2, 0)


def _enclosing(width: int, height: int, seats: int, agents: int, boards: int) -> Callable[[], object]:
    walls = rules.walls(_position(width, height, seats, agents, boards))
    return partial(enclosed, walls)


def _turning(width: int, height: int, seats: int, agents: int, boards: int) -> Callable[[], object]:
    state = _position(width, height, seats, agents, boards)
    return partial(_GAME.step, state, _random_actions(state, np.random.default_rng(1)))


def _hosting(width: int, height: int, seats: int, agents: int) -> Callable[[], object]:
    """Return all that a match needs of the rules in one turn of a single board."""
    state = _position(width, height, seats, agents, 1)
    rng = np.random.default_rng(1)
    answers = [_GAME.random_answer(state, 0, seat, rng) for seat in range(seats)]

    def turn() -> object:
        actions = _GAME.idle(state)
        for seat, lines in enumerate(answers):
            _GAME.observe(state, 0, seat)
            actions[0, seat] = _GAME.parse(state, 0, seat, lines)
        return _GAME.frame(_GAME.step(state, actions), 0)

    return turn


CASES = [
    Case("enclosure 10x10, 2 seats", 16_384, "boards", partial(_enclosing, 10, 10, 2, 8, 16_384)),
    Case("enclosure 24x24, 2 seats", 16_384, "boards", partial(_enclosing, 24, 24, 2, 16, 16_384)),
    Case("enclosure 35x20, 4 seats", 16_384, "boards", partial(_enclosing, 35, 20, 4, 10, 16_384)),
    Case("turn 10x10, 2 seats of 8", 4_096, "turns", partial(_turning, 10, 10, 2, 8, 4_096)),
    Case("turn 24x24, 2 seats of 16", 4_096, "turns", partial(_turning, 24, 24, 2, 16, 4_096)),
    Case("turn with lines and frame 10x10, 2 seats of 8", 1, "turns", partial(_hosting, 10, 10, 2, 8)),
    Case("turn with lines and frame 24x24, 2 seats of 16", 1, "turns", partial(_hosting, 24, 24, 2, 16)),
]
