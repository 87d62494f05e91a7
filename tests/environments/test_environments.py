"""All games as environments pass the tests of Gymnasium and PettingZoo, and masks are those of the rules."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector.utils import iterate
from msgspec.structs import replace
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from core.game import Choices, Game
from core.playout import play_turn, random_choices
from core.simple import SimpleGame
from environments.all_seats import AllAtOnce, OneByOne
from environments.matches import Matches
from environments.one_seat import ManyBoards, OneSeat
from games.registry import game_names
from games.wondev_woman.board import spot
from games.wondev_woman.rules import with_legal
from games.wondev_woman.view import places, rows, sees
from tests.core.setups import Setup, registered
from tests.core.simple_toy import Guess, Nim
from tests.core.toy import RockPaperScissors
from tests.games.test_openspiel import Pig

pytestmark = [pytest.mark.usefixtures("rps"), pytest.mark.test_all]

every_game = pytest.mark.parametrize("name", game_names())
every_setup = pytest.mark.parametrize("setup", registered(), ids=str)

EXPECTED = (
    "Observation is not a NumPy array",  # it is a dictionary, with a mask
    "Observation space for each agent probably should be",
    "Observation has more than 3 dimensions",
    "Action space for each agent probably should be",  # that of several agents of a seat is MultiDiscrete
    "Action mask is not a NumPy array",  # if a seat has several agents, it is a tuple
    "Action mask numpy array is all zeros",  # while a seat is not asked
    "negative numbers",  # points of cells
    "has not defined a render",
    "Observation numpy array is all zeros",
)
"""Parts of warnings of the projects' tests that are meant."""


@pytest.fixture(autouse=True)
def warned() -> Iterator[None]:
    """Fail a test in which Gymnasium or PettingZoo warn of something else than ``EXPECTED``."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    told = {str(warning.message) for warning in caught}
    assert {text for text in told if not any(part in text for part in EXPECTED)} == set()


@every_setup
def test_one_seat_passes_the_check_of_gymnasium(setup: Setup) -> None:
    env = OneSeat(setup.game.name, seat=setup.players - 1, players=setup.players, options=setup.options)
    # Without a spec it is not tested that the same seed brings the same match.
    env.spec = EnvSpec("OneSeat-v1", entry_point=lambda **_: env)
    check_env(env, skip_render_check=True)


@every_setup
def test_one_by_one_passes_the_tests_of_pettingzoo(setup: Setup) -> None:
    made = partial(OneByOne, setup.game.name, players=setup.players, options=setup.options)
    api_test(made(), num_cycles=200)
    seed_test(made, num_cycles=20)


@every_setup
def test_all_at_once_passes_the_tests_of_pettingzoo(setup: Setup) -> None:
    made = partial(AllAtOnce, setup.game.name, players=setup.players, options=setup.options)
    parallel_api_test(made(), num_cycles=200)
    parallel_seed_test(made, num_cycles=20)


@pytest.mark.parametrize("ruleset", ["short", "pauses"])
def test_games_without_observations_of_their_own_show_the_question(ruleset: str) -> None:
    options = dict(RockPaperScissors.rulesets[ruleset])
    made = partial(OneByOne, "rps", options=options)
    api_test(made(), num_cycles=50)
    seed_test(made, num_cycles=20)
    check_env(OneSeat("rps", options=options), skip_render_check=True)
    env = AllAtOnce("rps", options=options)
    seen, _ = env.reset(seed=3)
    assert bytes(seen["seat_1"]["observation"]).rstrip(b"\0") == b"you are 1\nround 1"


@pytest.mark.parametrize("game", [Nim(), Guess(), Pig()], ids=["turns", "at once", "openspiel"])
def test_simple_games_are_environments(game: SimpleGame[Any]) -> None:
    check_env(OneSeat(game), skip_render_check=True)
    api_test(OneByOne(game), num_cycles=100)
    seed_test(partial(OneByOne, game), num_cycles=20)
    parallel_api_test(AllAtOnce(game), num_cycles=100)
    batch = ManyBoards(game, 3)
    seen, _ = batch.reset(seed=1)
    for _ in range(50):
        assert batch.observation_space.contains(seen)
        seen, *_ = batch.step(seen["action_mask"].argmax(axis=1))


def test_more_answers_than_there_are_actions_are_named() -> None:
    class Narrow(Nim):
        answers_max = 1

    with pytest.raises(ValueError, match=r"has \d choices now, .* says that 1 are the most"):
        OneSeat(Narrow()).reset()


@every_setup
def test_masks_and_observations_fit_their_spaces_in_a_whole_match(setup: Setup) -> None:
    """Masks are the legal choices of the rules, and those that fill a mask up are never allowed."""
    env = AllAtOnce(setup.game.name, players=setup.players, options=setup.options)
    seen, _ = env.reset(seed=5)
    space = env.observation_space("seat_0")
    while env.agents:
        legal = setup.game.legal(env.board)[0]
        for seat, agent in enumerate(env.agents):
            assert space.contains(seen[agent])
            mask = np.array(seen[agent]["action_mask"])
            assert np.array_equal(mask[..., : legal.shape[-1]], legal[seat])
            assert not mask[..., legal.shape[-1] :].any()
        actions = {agent: env.action_space(agent).sample(seen[agent]["action_mask"]) for agent in env.agents}
        seen, rewards, *_ = env.step(actions)
    won = np.array([*rewards.values()])
    assert won.sum() == pytest.approx(0)
    assert np.array_equal(np.argsort(-won, kind="stable"), setup.game.ranks(env.board)[0].argsort(kind="stable"))


@every_setup
def test_a_padded_match_is_the_same_match(setup: Setup) -> None:
    game = setup.game
    plain = setup.reset(5)
    padded = game.padded(plain, setup.options)
    for answers in setup.answers(5):
        assert game.frame(padded, 0) == game.frame(plain, 0)
        plain, padded = play_turn(game, plain, answers), play_turn(game, padded, answers)
    assert game.frame(padded, 0) == game.frame(plain, 0)
    assert game.over(padded)[0]


@every_game
def test_nobody_is_asked_who_can_do_nothing(name: str) -> None:
    """In 16 random matches of Wondev Woman the rules ask a seat whose units are shut in; the match goes on."""
    env, shut_in = OneByOne(name), 0
    for start in range(16 if name == "wondev_woman" else 1):
        env.reset(seed=start)
        env.action_space("seat_0").seed(start)
        while env.agents:
            observation, _, over, *_ = env.last()
            mask = np.array(observation["action_mask"])
            assert over or mask.any()
            env.step(None if over else env.action_space("seat_0").sample(observation["action_mask"]))
        shut_in += int(getattr(env.board, "out", np.zeros(1)).any())
    assert shut_in or name != "wondev_woman"
    alone = OneSeat(name, seat=1)
    seen, _ = alone.reset(seed=3)
    over = False
    while not over:
        assert np.array(seen["action_mask"]).any()
        seen, _, over, *_ = alone.step(alone.action_space.sample(seen["action_mask"]))


def lowest_legal(game: Game[Any], state: Any, seat: int, rng: np.random.Generator) -> Choices:
    """Return the first legal choice of each agent."""
    legal = game.legal(state)[:, seat]
    return np.where(legal.any(axis=-1), legal.argmax(axis=-1), -1)


@every_game
def test_boards_of_a_batch_play_like_single_ones_and_begin_anew(name: str) -> None:
    batch = ManyBoards(name, 3, seat=1, others=lowest_legal)
    single = [OneSeat(name, seat=1, others=lowest_legal) for _ in range(3)]
    seen, _ = batch.reset(seed=5)
    assert batch.observation_space.contains(seen)
    expected = [env.reset(seed=5 + b)[0] for b, env in enumerate(single)]
    over, began = np.zeros(3, bool), np.zeros(3, bool)
    rng = np.random.default_rng(0)
    while not began.all():
        asked = [np.array(board["action_mask"]).any() for board in iterate(batch.observation_space, seen)]
        batch.action_space.seed(int(rng.integers(1_000)))
        actions = batch.action_space.sample()
        boards = [*iterate(batch.observation_space, seen)]
        for b in np.flatnonzero(~began).tolist():
            if asked[b]:
                assert data_equivalence(dict(boards[b]), expected[b])
                expected[b] = single[b].step(actions[b])[0]
        was_over = over
        seen, rewards, over, _, info = batch.step(actions)
        assert not over[was_over].any()
        assert not rewards[was_over].any()
        for b in np.flatnonzero(over & ~began).tolist():
            assert rewards[b] == batch.matches.rewards(single[b].board)[0, 1]
            assert info["score"][b] == batch.game.scores(single[b].board)[0, 1]
        began |= was_over


@pytest.mark.parametrize("name", ["wondev_woman", "puyo", "attack25"])
def test_nothing_hidden_is_observed(name: str) -> None:
    """Two states that differ only in what the protocol does not tell give the same observations."""
    matches = Matches(name, None, None)
    game, rng, differ = matches.game, np.random.default_rng(0), 0
    state = matches.reset([1])
    while not game.over(state)[0]:
        for seat in range(matches.players):
            for other in HIDDEN[name](state, seat):
                assert game.observe(other, 0, seat) == game.observe(state, 0, seat) or not game.to_move(state)[0, seat]
                assert np.array_equal(game.observation(other, seat), game.observation(state, seat))
                assert np.array_equal(game.legal(other)[:, seat], game.legal(state)[:, seat])
                differ += 1
        state = game.step(state, game.choose(state, random_choices(game.legal(state), rng)))
    assert differ > 10


def other_places(state: Any, seat: int) -> Iterator[Any]:
    """Yield states in which a hidden unit of the opponent stands on another hidden cell."""
    own, foes = places(state, 0)[seat], places(state, 0)[1 - seat]
    size = int(state.size[0])
    free = [
        (x, y)
        for x in range(size)
        for y in range(size)
        if rows(state, 0)[y][x] in "0123" and (x, y) not in foes and not sees(state, own, (x, y))
    ]
    for unit, place in enumerate(foes):
        if free and not sees(state, own, place):
            units = state.units.copy()
            units[1 - seat, unit] = spot(*free[0])
            yield with_legal(replace(state, units=units))


def other_pairs(state: Any, seat: int) -> Iterator[Any]:
    """Yield states with other pairs after those that both seats are shown."""
    pairs = state.supply.pairs.copy()
    pairs[int(state.index.max()) + 3 :] = 1
    if state.index.max() + 3 < len(pairs):
        yield replace(state, supply=replace(state.supply, pairs=pairs))


def other_bids(state: Any, seat: int) -> Iterator[Any]:
    """Yield states after an auction with other bids of the losers, and another order of ties."""
    if state.picking:
        bids = np.where(state.bids == state.bids.max(), state.bids, state.bids // 2)
        yield replace(state, bids=bids.astype(state.bids.dtype), order=state.order[::-1])


HIDDEN: dict[str, Callable[[Any, int], Iterator[Any]]] = {
    "wondev_woman": other_places,
    "puyo": other_pairs,
    "attack25": other_bids,
}
