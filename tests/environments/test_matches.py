"""What all environments share: matches of one game, their seeds, spaces, masks and rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.game import BadOptions
from core.playout import random_choices
from environments.all_seats import AllAtOnce, OneByOne
from environments.matches import SEED_LIMIT, Matches, random_policy
from environments.one_seat import ManyBoards, OneSeat
from games.registry import game_named
from tests.core.simple_toy import Guess, Nim
from tests.core.toy import RockPaperScissors

TOY = RockPaperScissors()


def toy(players: int | None = None, **options: Any) -> Matches:
    return Matches(TOY, players, options or None)


def test_matches_are_by_default_those_of_the_ladder() -> None:
    by_name = Matches("attack25", None, None)
    assert (by_name.players, by_name.options) == (4, {})
    assert by_name.game is game_named("attack25")
    assert Matches("attack25", 2, {"mode": "order"}).options == {"mode": "order"}
    assert toy().players == 2


def test_a_game_may_be_given_as_an_object_or_a_simple_one() -> None:
    assert toy().game is TOY
    assert Matches(Nim(), None, None).game.name == "simple_nim"


@pytest.mark.parametrize(
    ("game", "players", "options", "error"),
    [
        ("chess", None, None, KeyError),
        ("puyo", 3, None, BadOptions),
        ("puyo", None, {"ruleset": "fever"}, BadOptions),
        (TOY, None, {"colour": 1}, BadOptions),
    ],
)
def test_what_a_game_does_not_know_is_refused_at_once(
    game: Any, players: int | None, options: dict[str, Any] | None, error: type[Exception]
) -> None:
    with pytest.raises(error):
        Matches(game, players, options)
    for environment in (OneSeat, AllAtOnce, OneByOne):
        with pytest.raises(error):
            environment(game, players=players, options=options)


def test_spaces_are_as_wide_as_the_most_choices_of_a_match() -> None:
    assert toy().action_space().n == 3
    kakomimasu = Matches("kakomimasu", None, None)
    assert kakomimasu.agents == (8,)
    assert kakomimasu.action_space().nvec.tolist() == [17 + 24 * 24] * 8
    space = kakomimasu.observation_space()
    assert len(space["action_mask"].spaces) == 8
    assert space["observation"].shape == (15, 24, 24)
    assert toy().action_space() is not toy().action_space(), "each agent has a generator of its own"


def test_a_seed_begins_the_same_match_and_seeds_that_are_too_large_are_cut() -> None:
    matches, rng = Matches("kakomimasu", None, None), np.random.default_rng(1)
    points = [matches.begun(seed, rng).points for seed in (5, 5, 5 + SEED_LIMIT, 6)]
    assert np.array_equal(points[0], points[1])
    assert np.array_equal(points[0], points[2])
    assert not np.array_equal(points[0], points[3])


def test_without_a_seed_each_match_is_another_one_that_follows_from_the_generator() -> None:
    matches = Matches("kakomimasu", None, None)
    first, second = (np.random.default_rng(1) for _ in range(2))
    one, other = matches.begun(None, first), matches.begun(None, first)
    assert not np.array_equal(one.points, other.points)
    assert np.array_equal(one.points, matches.begun(None, second).points)


@pytest.mark.parametrize(
    ("points", "rewards"),
    [
        ([[3, 1]], [[1, -1]]),
        ([[2, 2]], [[0, 0]]),
        ([[3, 2, 1]], [[1, 0, -1]]),
        ([[3, 3, 1]], [[0.5, 0.5, -1]]),
        ([[1, 3, 3]], [[-1, 0.5, 0.5]]),
        ([[2, 2, 2]], [[0, 0, 0]]),
    ],
)
def test_rewards_are_the_share_of_seats_behind_less_that_before(
    points: list[list[int]], rewards: list[list[float]]
) -> None:
    matches = toy(len(points[0]))
    state = matches.reset([0])
    while not TOY.over(state).all():
        assert not matches.rewards(state).any(), "none before the end"
        state = TOY.step(state, TOY.idle(state))
    ended = type(state)(state.options, state.round, np.array(points), state.out)
    assert matches.rewards(ended).tolist() == rewards


def test_a_choice_that_the_mask_does_not_allow_does_nothing() -> None:
    matches = Matches("puyo", None, None)
    state = matches.reset([3])
    wrong = matches.nothing(1)
    wrong[0] = matches.width
    after = matches.play(state, wrong)
    assert np.array_equal(after.fields, state.fields)
    assert matches.nothing(2).shape == (2, 2)
    assert (matches.nothing(2) == -1).all()


def test_turns_in_which_nobody_is_asked_are_played_at_once() -> None:
    """The toy asks nobody in every second round."""
    matches = toy(pause=True)
    state = matches.until_asked(matches.reset([0, 1]))
    asked = 0
    while not TOY.over(state).all():
        assert matches.asked(state).all()
        state = matches.play(state, np.zeros((2, 2), int))
        asked += 1
    assert asked < int(state.round[0])


def test_a_batch_of_one_board_is_seen_like_its_space() -> None:
    for game in ("wondev_woman", "kakomimasu", "puyo"):
        matches = Matches(game, None, None)
        state = matches.until_asked(matches.reset([1]))
        for seat in range(matches.players):
            seen, many = matches.seen(state, seat), matches.observations(state, seat)
            assert matches.observation_space().contains(seen)
            assert np.array_equal(seen["observation"], many["observation"][0])
            assert np.array_equal(
                np.array(seen["action_mask"]), np.array([*map(np.array, many["action_mask"])]).squeeze()
            )


def test_the_policy_at_random_plays_what_is_allowed_and_differs_by_its_generator() -> None:
    game = game_named("puyo")
    state, legal = game.reset(range(20), 2), game.legal(game.reset(range(20), 2))
    chosen = [random_policy(game, state, 1, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert np.take_along_axis(legal[:, 1], chosen[0][:, None], axis=1).all()
    assert np.array_equal(chosen[0], chosen[1])
    assert not np.array_equal(chosen[0], chosen[2])
    assert np.array_equal(chosen[0], random_choices(legal[:, 1], np.random.default_rng(1)))


def test_many_boards_take_the_arguments_of_one_seat() -> None:
    many = ManyBoards(TOY, 3, seat=1, players=3, options={"rounds": 2})
    assert (many.seat, many.num_envs, many.matches.players) == (1, 3, 3)
    assert many.single_action_space.n == 3
    assert many.action_space.shape == (3,)
    assert many.others is random_policy
    with pytest.raises(TypeError, match="table"):
        ManyBoards(TOY, 3, table=1)


def test_boards_that_are_over_begin_anew_by_seeds_of_their_own() -> None:
    many = ManyBoards(Guess(), 4)
    seen, info = many.reset(seed=7)
    assert info["score"].shape == (4,)
    begun = 0
    for _ in range(60):
        seen, rewards, over, cut, info = many.step(seen["action_mask"].argmax(axis=1))
        assert not cut.any(), "the rules end a match, nothing else does"
        assert not rewards[~over].any()
        begun += int(over.sum())
    assert begun >= 4


def test_agents_are_named_by_their_seats_and_the_game_with_its_version() -> None:
    for environment in (AllAtOnce, OneByOne):
        made = environment("attack25", players=3)
        assert made.possible_agents == ["seat_0", "seat_1", "seat_2"]
        assert made.metadata["name"] == "attack25_v3"
        assert made.agents == [], "nobody plays before the first reset"
        made.reset(seed=1)
        assert made.agents == made.possible_agents
        made.close()
