"""The predictions of ``rings`` are what the referee makes of its orders."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from games.registry import FOLDER, game_named
from tests.games.bots.kit import starter_importable

GAME = "kakomimasu"


@pytest.fixture(scope="module")
def rings() -> Iterator[dict[str, ModuleType]]:
    """The modules of ``rings``, and the kit as they import it."""
    with starter_importable(FOLDER / GAME / "bots" / "starter"), starter_importable(FOLDER / GAME / "bots" / "rings"):
        yield {name: import_module(name) for name in ("kakomimasu", "future", "ways", "areas")}


def a_board(kit: ModuleType, rules: Any, state: Any) -> Any:
    """Return the kit's board of a question to the first seat."""
    kit.input = iter([*rules.introduce(state, 0, 0), *rules.observe(state, 0, 0)]).__next__
    board = kit.Board(*kit._numbers())
    board.points = [kit._numbers() for _ in range(board.height)]
    kit._read_turn(board)
    return board


def played(rules: Any, state: Any, orders: list[str], theirs: list[str] | None = None) -> Any:
    """Return the state after a turn; the second seat stands still without orders."""
    actions = rules.idle(state)
    actions[0, 0] = rules.parse(state, 0, 0, orders)
    if theirs:
        actions[0, 1] = rules.parse(state, 0, 1, theirs)
    return rules.step(state, actions)


def lead(board: Any) -> int:
    return int(sum(board.scores[0]) - sum(board.scores[1]))


@pytest.mark.parametrize("seed", range(20))
def test_a_way_brings_what_the_referee_gives_for_it(
    seed: int, rings: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rings["future"], "LATER", 1)
    kit, rules, rng = rings["kakomimasu"], game_named(GAME), random.Random(seed)  # noqa: S311 - no secret
    state, chance = rules.reset([seed]), np.random.default_rng(seed)
    for _ in range(8):
        state = played(rules, state, *(rules.random_answer(state, 0, seat, chance) for seat in (0, 1)))
    board = a_board(kit, rules, state)
    agent = next(number for number, cell in enumerate(board.mine) if cell)
    agents = {cell for positions in board.positions for cell in positions}
    cell, way = board.mine[agent], []
    for _ in range(3):
        cell = rng.choice([near for near in board.neighbours(cell) if near not in agents and near not in way])
        way.append(cell)
    ways = [tuple(way) if number == agent else () for number in range(board.agents)]
    foreseen = rings["future"].Future(board, dict.fromkeys(board.cells(), 0.0)).brings(ways, 6)
    before = lead(board)
    for cell in way:
        for _ in range(1 + board.is_foreign_wall(cell)):
            orders = ["NONE"] * board.agents
            orders[agent] = kit.order("REMOVE" if board.is_foreign_wall(cell) else "MOVE", cell)
            state = played(rules, state, orders)
            board = a_board(kit, rules, state)
    assert board.mine[agent] == way[-1]
    assert lead(board) - before == foreseen


def test_a_ring_that_several_agents_close_is_foreseen(rings: dict[str, ModuleType]) -> None:
    """Six agents stand round a cell; two more complete the ring, and gain their cells and the one inside."""
    kit, rules = rings["kakomimasu"], game_named(GAME)
    state = rules.reset([1], options={"board": "A-1"})
    ring = [(3, 3), (4, 3), (5, 3), (5, 4), (5, 5), (4, 5), (3, 5), (3, 4)]
    state = played(rules, state, [*(kit.order("PUT", cell) for cell in ring[:6]), "NONE", "NONE"])
    board = a_board(kit, rules, state)
    future = rings["future"].Future(board, dict.fromkeys(board.cells(), 0.0))
    both, one = [()] * 6 + [(cell,) for cell in ring[6:]], [()] * 6 + [(ring[6],), ()]
    inside = board.value((4, 4))
    assert future.brings(both, 1) == board.value(ring[6]) + board.value(ring[7]) + inside
    assert future.brings(one, 1) == board.value(ring[6])
    state = played(rules, state, ["NONE"] * 6 + [kit.order("PUT", cell) for cell in ring[6:]])
    assert lead(a_board(kit, rules, state)) - lead(board) == future.brings(both, 1)
