"""Boards from seeds, by name and from files."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest

from core.game import BadOptions
from games.kakomimasu.boards import BoardFile, generate, named
from games.registry import game_named

GAME = game_named("kakomimasu")


def fingerprint(seed: int) -> str:
    board = generate(seed)
    facts = f"{board.points.shape} {board.agents} {board.turns} {board.points.tolist()}"
    return hashlib.sha256(facts.encode()).hexdigest()[:16]


def test_the_boards_of_seeds_never_change() -> None:
    """If these values change, seeds of recorded matches lead to other matches: then change ``rules_version``, too."""
    board = generate(7)
    assert (board.points.shape, board.agents, board.turns) == ((17, 20), 5, 59)
    assert board.points[0, :10].tolist() == [13, 5, -5, -3, 3, 10, -14, 14, -11, 16]
    known = ["d47f42954a505519", "173658aa1cedfa5e", "5273bb22e8c2dd5a", "a8910f4e51aa5259"]
    assert [fingerprint(seed) for seed in (0, 1, 2**32, 2**63 - 1)] == known


def test_boards_keep_to_the_official_sizes_and_use_all_of_them() -> None:
    boards = [generate(seed) for seed in range(600)]
    for axis in (0, 1):
        assert {board.points.shape[axis] for board in boards} == set(range(10, 25))
    assert {board.agents for board in boards} == set(range(4, 9))
    assert {board.turns for board in boards} == set(range(30, 61))
    assert set(np.concatenate([board.points.reshape(-1) for board in boards]).tolist()) == set(range(-16, 17))


def test_boards_are_mirrored_on_both_axes_and_differ() -> None:
    boards = [generate(seed) for seed in range(100)]
    for board in boards:
        assert np.array_equal(board.points, board.points[::-1])
        assert np.array_equal(board.points, board.points[:, ::-1])
    assert len({board.points.tobytes() for board in boards}) == 100


@pytest.mark.parametrize(
    ("name", "side", "agents", "turns", "low", "high", "total", "negative"),
    [
        ("A-1", 10, 8, 30, 1, 12, 512, 0),
        ("A-2", 10, 3, 30, -14, 15, 500, 24),
        ("E-1", 18, 14, 50, -7, 16, 1424, 46),
        ("F-1", 20, 8, 60, -16, 16, 8, 184),
        ("Kakom-1", 20, 8, 60, -16, 16, 1002, 100),
        ("Kakom-2", 20, 8, 60, -16, 16, -113, 144),
        ("island-1", 20, 8, 30, -11, 16, 2783, 33),
        ("island-3", 20, 8, 60, -15, 16, 2665, 41),
        ("island-4", 20, 8, 60, -15, 16, 2557, 43),
        ("island-5", 20, 8, 60, -14, 16, 2495, 49),
    ],
)
def test_published_boards(
    name: str, side: int, agents: int, turns: int, low: int, high: int, total: int, negative: int
) -> None:
    board = named(name)
    points = board.points
    assert (points.shape, board.agents, board.turns) == ((side, side), agents, turns)
    assert (points.min(), points.max(), points.sum(), (points < 0).sum()) == (low, high, total, negative)
    if name in ("A-1", "A-2", "F-1"):
        assert np.array_equal(points, points[::-1, ::-1])
    state = GAME.reset([1, 2], 2, {"board": name})
    assert GAME.setting(state, 1)["points"] == points.reshape(-1).tolist()


@pytest.mark.parametrize("name", ["A-1", "E-1", "Kakom-1"])
def test_a_published_board_is_shared_and_cannot_be_changed(name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        named(name).points[0, 0] += 1


def file(**changes: Any) -> dict[str, Any]:
    return {"width": 3, "height": 2, "points": [1, 2, 3, 4, 5, 6], "nAgent": 2, "totalTurn": 9} | changes


def test_a_file_is_a_board_and_its_other_fields_do_not_matter() -> None:
    state = GAME.reset([1], 3, {"board": file(name="X-1", operationSec=2)})
    assert GAME.setting(state, 0) == {
        "width": 3,
        "height": 2,
        "points": [1, 2, 3, 4, 5, 6],
        "agents": 2,
        "turns": 9,
        "players": 3,
    }
    assert BoardFile(1, 1, [0]).board().agents == 4


def test_agents_and_turns_can_be_chosen() -> None:
    for options in ({"board": "A-1"}, {}, {"board": file()}):
        setting = GAME.setting(GAME.reset([1], 2, options | {"turns": "12", "agents": 5}), 0)
        assert (setting["turns"], setting["agents"]) == (12, 5)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"board": "island-2"}, "no board 'island-2'.*A-1, A-2, E-1"),
        ({"board": file(width=4)}, "points must have 4 x 2 numbers"),
        ({"board": file(width=0, points=[])}, "at least 1"),
        ({"board": file(width=101, height=100, points=[0] * 10_100)}, "10000 cells at most"),
        ({"board": file(points=[1, 2, 3, 4, 5, 10**30])}, "between -10000 and 10000"),
        ({"board": {"width": 3}}, "height"),
        ({"board": file(nAgent=0)}, "number of agents"),
        ({"agents": 101}, "number of agents"),
        ({"turns": 0}, "number of turns"),
        ({"fill": "2021"}, "fill"),
    ],
)
def test_impossible_boards_are_refused_in_words(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(BadOptions, match=complaint):
        GAME.reset([1], 2, options)
