"""What the planes of observations for learning mean: those of each game, read cell by cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from banzuke.testing import Setup
from core.batch import own_first
from core.playout import play_turn
from games.planes import stacked
from games.registry import game_named
from tests.core.setups import registered
from tests.games.attack25.test_rules import begin, bid, pick

Planes = NDArray[np.int32]


def seen(game: str, state: Any, seat: int) -> Planes:
    """Return the planes of the only board."""
    (planes,) = game_named(game).observation(state, seat)
    return np.asarray(planes)


def everywhere(planes: Planes) -> list[int]:
    """Return the number that each plane has on all its cells."""
    assert all((plane == plane[0, 0]).all() for plane in planes)
    return [int(plane[0, 0]) for plane in planes]


def test_planes_are_those_of_cells_then_one_for_each_number() -> None:
    cells = [np.arange(12).reshape(2, 2, 3, 1), np.ones((2, 3, 1), np.bool_)]
    planes = stacked((2, 3), cells, [np.array([[7], [8]]), np.array([True])])
    assert planes.shape == (1, 6, 2, 3)
    assert planes.dtype == np.int32
    assert planes[0, :3].tolist() == [[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]], [[1, 1, 1], [1, 1, 1]]]
    assert everywhere(planes[0, 3:]) == [7, 8, 1]


def test_boards_of_a_batch_come_first() -> None:
    planes = stacked((1, 2), [np.array([[[1, 2], [3, 4]]])], [np.array([5, 6])])
    assert planes.tolist() == [[[[1, 3]], [[5, 5]]], [[[2, 4]], [[6, 6]]]]


@pytest.mark.parametrize(("seats", "seat", "order"), [(2, 1, [1, 0]), (4, 2, [2, 1, 0, 3]), (3, 0, [0, 1, 2])])
def test_the_own_seat_changes_places_with_the_first(seats: int, seat: int, order: list[int]) -> None:
    assert own_first(seats, seat) == order


@pytest.mark.parametrize("setup", registered(), ids=str)
def test_observations_of_a_batch_are_those_of_its_boards(setup: Setup) -> None:
    """The shape stays the same throughout a match, and no seat of another board changes what is seen."""
    game = setup.game
    first = game.padded(game.reset([1, 2], setup.players, setup.options), setup.options)
    later = game.step(first, game.idle(first))
    for state in (first, later):
        for seat in range(setup.players):
            both = game.observation(state, seat)
            assert both.shape == game.observation(first, 0).shape
            for b in range(2):
                assert np.array_equal(both[b : b + 1], game.observation(game.take(state, [b]), seat))


def test_an_auction_of_attack_25_shows_chips_ties_and_the_last_round() -> None:
    state = pick(bid(begin(2), 9, 4), 13)
    planes = seen("attack25", state, 1)
    assert planes.shape == (3 + 6 + 6, 5, 5)
    assert not planes[0].any(), "the seat itself owns nothing"
    assert np.argwhere(planes[1]).tolist() == [[2, 2]]
    assert not planes[2].any(), "nothing is to be taken in an auction"
    places = (state.order[:, 0].argsort() + 1).tolist()
    assert everywhere(planes[3:9]) == [100, 91, places[1], places[0], 4, 9]
    assert everywhere(planes[9:]) == [13, 2, 0, 2, 0, 0]


def test_the_winner_of_a_round_sees_what_it_may_take_and_others_no_bids() -> None:
    state = bid(begin(2), 9, 4)
    winner, loser = seen("attack25", state, 0), seen("attack25", state, 1)
    assert np.argwhere(winner[2]).tolist() == [[2, 2]]
    assert not loser[2].any()
    assert everywhere(winner[3:9]) == everywhere(loser[3:9]) == [100, 100, 0, 0, 0, 0], "as before the auction"
    assert everywhere(winner[9:]) == everywhere(loser[9:]) == [0, 0, 0, 1, 0, 1]


def test_a_seat_of_back_to_the_code_sees_land_places_and_backs() -> None:
    game = game_named("back_to_the_code")
    state = game.reset([3], 2, {"width": 4, "height": 3})
    x, y, *_ = game.frame(state, 0)["seats"][0]
    state = play_turn(game, state, {0: [f"{x} {y}"], 1: ["BACK 1"]})
    planes = seen("back_to_the_code", state, 1)
    assert planes.shape == (4 + 3, 3, 4)
    other_x, other_y, *_ = game.frame(state, 0)["seats"][1]
    assert [np.argwhere(plane).tolist() for plane in planes[:4]] == [[[other_y, other_x]], [[y, x]]] * 2
    assert everywhere(planes[4:]) == [0, 1, 2], "its BACK is spent, and there was nothing to undo"


def test_a_seat_of_back_to_the_code_that_is_out_has_land_but_no_place() -> None:
    game = game_named("back_to_the_code")
    state = game.disqualify(game.reset([3], 3), 0, 2)
    planes = seen("back_to_the_code", state, 0)
    assert [int(plane.sum()) for plane in planes[:6]] == [1, 1, 1, 1, 1, 0]
    assert everywhere(planes[6:]) == [1, 1, 0, 1]


def test_a_seat_of_kakomimasu_sees_points_walls_and_its_agents_by_number() -> None:
    game, board = game_named("kakomimasu"), {"width": 3, "height": 2, "points": [1, -2, 3, 4, 5, -6], "nAgent": 2}
    state = game.reset([1], 2, {"board": board})
    state = play_turn(game, state, {0: ["PUT 0 0", "PUT 2 1"], 1: ["PUT 1 0", "NONE"]})
    planes = seen("kakomimasu", state, 0)
    assert planes.shape == (2 + 6 + 7, 2, 3)
    assert planes[0].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert planes[1].tolist() == [[1, -2, 3], [4, 5, -6]]
    assert planes[2].tolist() == [[1, 0, 0], [0, 0, 1]], "its walls"
    assert planes[3].tolist() == [[0, 1, 0], [0, 0, 0]], "those of the other"
    assert not planes[4:6].any(), "no area yet"
    assert planes[6].tolist() == [[1, 0, 0], [0, 0, 2]]
    assert planes[7].tolist() == [[0, 1, 0], [0, 0, 0]]
    assert everywhere(planes[8:]) == [-5, -2, 0, 0, 2, 30, 2]


def test_smaller_boards_of_kakomimasu_are_told_from_the_rest_of_the_grid() -> None:
    game = game_named("kakomimasu")
    state = game.padded(game.reset([7], 2))
    height, width = int(state.height[0]), int(state.width[0])
    planes = seen("kakomimasu", state, 0)
    assert planes.shape[1:] == (24, 24)
    assert planes[0, :height, :width].all()
    assert planes[0].sum() == height * width
    assert game.padded(game.reset([7], 2, {"board": "A-1"}), {"board": "A-1"}).grid == (10, 10), "one size is enough"


def test_a_seat_of_puyo_sees_both_fields_its_own_first() -> None:
    game = game_named("puyo")
    state = play_turn(game, game.reset([1], 2), {0: ["0 0"], 1: ["5 0"]})
    planes = seen("puyo", state, 1)
    assert planes.shape == (2 + 12 + 12 + 2, 13, 6)
    frame = game.frame(state, 0)
    for plane, seat in zip(planes[:2], (1, 0), strict=True):
        shown = [["." if value == 0 else str(value - 1) for value in row] for row in plane.tolist()]
        assert ["".join(row) for row in shown] == frame["fields"][seat]
    numbers = everywhere(planes[2:])
    assert numbers[:6] == [colour for pair in frame["pairs"][1] for colour in pair]
    assert numbers[-2:] == [1, 70]


@pytest.mark.parametrize(("ruleset", "numbers"), [("smash_the_code", 18), ("smash_the_code_contest", 16)])
def test_the_contest_of_smash_the_code_tells_no_scores(ruleset: str, numbers: int) -> None:
    state = game_named("puyo").reset([1], 2, {"ruleset": ruleset})
    planes = seen("puyo", state, 0)
    assert planes.shape == (2 + numbers, 12, 6)
    assert everywhere(planes[2:18]) == [int(colour) for pair in state.supply.pairs[:8, :, 0] for colour in pair]


def test_a_seat_of_wondev_woman_sees_heights_and_near_units_only() -> None:
    game = game_named("wondev_woman")
    hidden = 0
    for seed in range(8):
        state = game.reset([seed], 2, {"map": "square"})
        planes, frame = seen("wondev_woman", state, 0), game.seen(state, 0, 0)
        assert planes.shape == (6, 7, 7)
        assert planes[0, :5, :5].all()
        assert planes[0].sum() == 25
        assert not planes[1].any()
        places = [np.argwhere(plane)[:, ::-1].tolist() for plane in planes[2:]]
        own, foes = frame["units"]
        assert places[:2] == [[place] for place in own]
        assert places[2:] == [[] if place == [-1, -1] else [place] for place in foes]
        hidden += places[2:].count([])
    assert hidden


def test_heights_of_wondev_woman_are_those_of_the_rows() -> None:
    game, rng = game_named("wondev_woman"), np.random.default_rng(2)
    state = game.reset([4], 2, {"league": 1})
    for _ in range(30):
        seat = game.to_move(state)[0].tolist().index(True)
        state = play_turn(game, state, {seat: game.random_answer(state, 0, seat, rng)})
    rows, planes = game.frame(state, 0)["rows"], seen("wondev_woman", state, 0)
    assert max("".join(rows)) > "1"
    for y, row in enumerate(rows):
        for x, tile in enumerate(row):
            assert (planes[0, y, x], planes[1, y, x]) == ((0, 0) if tile == "." else (1, int(tile)))
