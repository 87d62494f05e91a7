"""The interface ``core.game.Game``, checked for every registered game, set of rules and number of players."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.game import BadOptions, Game, IllegalAnswer
from core.playout import random_choices
from core.referee import Reply
from core.replay import (
    BadReplay,
    ReplayMismatch,
    decode,
    encode,
)
from core.simple import as_game
from games.registry import game_named
from games.replays import positions, verify
from tests.core import simple_toy, toy
from tests.core.leaving import WRONG, leaving_match
from tests.core.setups import Setup, registered, setups
from tests.installing import games_installed

pytestmark = pytest.mark.usefixtures("toys")

SEEDS = (5, 0, 2**63 - 1)


def may_be_left(setup: Setup) -> bool:
    """Tell whether a game has questions that a seat may leave; in others a match of those who leave is any match."""
    return type(setup.game).may_leave is not Game.may_leave


TOYS = (toy.RockPaperScissors, simple_toy.Nim, simple_toy.Guess)
every_setup = pytest.mark.parametrize("setup", [*setups(map(as_game, TOYS)), *registered()], ids=str)


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the toys, since the verification of a replay looks its game up by name."""
    entries = {as_game(toy).name: f"{toy.__module__}:{toy.__name__}" for toy in TOYS}
    with games_installed(tmp_path_factory.mktemp("site"), entries):
        yield


def view(game: Game[Any], state: Any, b: int) -> bytes:
    """Return everything that the interface says about a board, as bytes."""
    seats = range(game.to_move(state).shape[1])
    table = [
        [function(state)[b].tolist() for function in (game.to_move, game.over, game.scores, game.ranks)],
        [[game.introduce(state, b, seat), game.observe(state, b, seat)] for seat in seats],
        [[game.answer_lines(state, b, seat), game.cpu_ms(state, b, seat)] for seat in seats],
        [game.setting(state, b), game.frame(state, b)],
    ]
    return msgspec.json.encode(table)


def step(game: Game[Any], state: Any, answers: dict[int, dict[int, list[str]]]) -> Any:
    """Return the state after a turn, given answers by board and seat."""
    actions = game.idle(state)
    for b, seats in answers.items():
        for seat, lines in seats.items():
            actions[b, seat] = game.parse(state, b, seat, lines)
    return game.step(state, actions)


def states(setup: Setup, seed: int) -> Iterator[tuple[Any, dict[int, list[str]]]]:
    """Yield the states of a random match, each with the answers given in it; the last one has none."""
    state = setup.reset(seed)
    for answers in setup.answers(seed):
        yield state, answers
        state = step(setup.game, state, {0: answers})
    yield state, {}


def midgame(setup: Setup) -> tuple[Any, dict[int, list[str]]]:
    """Return the last state in the first half of a match in which a seat is asked, with its answers."""
    match = list(states(setup, 5))
    return [turn for turn in match[: len(match) // 2 + 1] if turn[1]][-1]


once = cache(lambda function, setup: function(setup))
"""Calls a function of a setup once for all examples of hypothesis."""


@every_setup
def test_boards_of_a_batch_play_as_if_alone(setup: Setup) -> None:
    alone = {seed: [(view(setup.game, state, 0), answers) for state, answers in states(setup, seed)] for seed in SEEDS}
    for order in ((0, 1, 2), (2, 0, 1)):
        seeds = [SEEDS[index] for index in order]
        together = setup.reset(*seeds)
        for turn in range(max(map(len, alone.values()))):
            now = [alone[seed][min(turn, len(alone[seed]) - 1)] for seed in seeds]
            assert [view(setup.game, together, b) for b in range(len(seeds))] == [shown for shown, _ in now]
            together = step(setup.game, together, {b: answers for b, (_, answers) in enumerate(now)})
        assert setup.game.over(together).all()


@every_setup
def test_a_state_is_never_changed_and_survives_copies(setup: Setup) -> None:
    game = setup.game
    state, answers = midgame(setup)
    before, shown = pickle.dumps(state), view(game, state, 0)
    after = view(game, step(game, state, {0: answers}), 0)
    game.disqualify(state, 0, 0)
    game.random_answer(state, 0, next(iter(answers)), np.random.default_rng(0))
    assert pickle.dumps(state) == before
    for twin in (pickle.loads(before), copy.deepcopy(state), copy.copy(state)):  # noqa: S301 - our own bytes
        assert view(game, twin, 0) == shown
        assert view(game, step(game, twin, {0: answers}), 0) == after


@every_setup
def test_returned_values_may_be_changed(setup: Setup) -> None:
    """Values that are computed once for several callers must be copied for each of them."""
    game = setup.game
    state, answers = midgame(setup)
    shown = view(game, state, 0)
    for value in (game.frame(state, 0), game.setting(state, 0), *(game.observe(state, 0, seat) for seat in answers)):
        spoil(value)
    assert view(game, state, 0) == shown


def spoil(value: Any) -> None:
    """Clear a list or dictionary, and all within it."""
    if isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            spoil(part)
        value.clear()


@every_setup
def test_shapes_and_types(setup: Setup) -> None:
    game, shape = setup.game, (1, setup.players)
    for turn, (state, answers) in enumerate(states(setup, 5)):
        over, idle, scores, ranks = game.over(state), game.idle(state), game.scores(state), game.ranks(state)
        assert over.shape == (1,)
        assert over.dtype == game.to_move(state).dtype == bool
        assert idle.shape[:2] == game.to_move(state).shape == scores.shape == ranks.shape == shape
        assert idle.flags.writeable
        assert issubclass(idle.dtype.type, np.integer)
        assert issubclass(ranks.dtype.type, np.integer)
        assert scores.dtype == np.float64
        assert ranks.min() == 1
        assert over[0] == (not answers) or not over[0]
        assert game.frame(state, 0)["turn"] == turn
        for seat in answers:
            assert game.parse(state, 0, seat, answers[seat]).shape == idle[0, seat].shape
            assert game.answer_lines(state, 0, seat) == len(answers[seat])
            assert game.cpu_ms(state, 0, seat) > 0


@every_setup
def test_questions_have_whole_lines(setup: Setup) -> None:
    for state, _ in states(setup, 5):
        for seat in range(setup.players):
            for line in setup.game.introduce(state, 0, seat) + setup.game.observe(state, 0, seat):
                assert line.isascii()
                assert line.splitlines() == [line]


@every_setup
def test_nothing_is_told_of_the_start(setup: Setup) -> None:
    state = setup.reset(5)
    assert setup.game.commentary(setup.game.setting(state, 0), [setup.game.frame(state, 0)]) == []


@every_setup
def test_a_match_that_is_over_stays_as_it_is(setup: Setup) -> None:
    *_, (end, _) = states(setup, 5)
    assert setup.game.over(end)[0]
    assert not setup.game.to_move(end).any()
    assert view(setup.game, setup.game.step(end, setup.game.idle(end)), 0) == view(setup.game, end, 0)


@every_setup
def test_a_disqualified_seat_ranks_last_and_its_actions_are_ignored(setup: Setup) -> None:
    game = setup.game
    state, answers = midgame(setup)
    seat = next(iter(answers))
    out = game.disqualify(state, 0, seat)
    assert not game.to_move(out)[0, seat]
    if game.faults_rank_last:
        assert game.ranks(out)[0, seat] == setup.players
    others = {other: lines for other, lines in answers.items() if other != seat and game.to_move(out)[0, other]}
    actions = game.idle(out)
    actions[0, seat] = game.parse(state, 0, seat, answers[seat])
    for other, lines in others.items():
        actions[0, other] = game.parse(out, 0, other, lines)
    assert view(game, game.step(out, actions), 0) == view(game, step(game, out, {0: others}), 0)


@every_setup
def test_a_match_with_disqualified_seats_comes_to_its_end(setup: Setup) -> None:
    game, rng = setup.game, np.random.default_rng(0)
    state = setup.reset(5)
    for seat in range(1, setup.players):
        state = game.disqualify(state, 0, seat)
    while not game.over(state)[0]:
        asked = np.flatnonzero(game.to_move(state)[0]).tolist()
        assert set(asked) <= {0}
        state = step(game, state, {0: {seat: game.random_answer(state, 0, seat, rng) for seat in asked}})
    if game.faults_rank_last:
        assert game.ranks(state)[0].tolist() == [1] + [2] * (setup.players - 1)


@pytest.mark.parametrize("name", ["chess", "cli", "", "puyo.plain"])
def test_an_unknown_game_raises_a_key_error(name: str) -> None:
    with pytest.raises(KeyError, match=repr(name)):
        game_named(name)


@every_setup
def test_bad_options_are_refused(setup: Setup) -> None:
    for players, options in [(0, {}), (99, {}), (setup.players, {"no such option": 1})]:
        with pytest.raises(BadOptions):
            setup.game.reset([0], players, options)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("attack25", "mode (bid, order)."),
        ("wondev_woman", "league, map (square, diamond, random), symmetric, java_seed."),
    ],
)
def test_refused_options_name_the_known_ones_with_their_values(name: str, known: str) -> None:
    with pytest.raises(BadOptions, match=f"Known are: {re.escape(known)}$"):
        game_named(name).reset([0], options={"mode": "auction", "map": "round"})


@every_setup
def test_selected_boards_of_a_batch_play_on_as_before(setup: Setup) -> None:
    game, picked = setup.game, [2, 0, 2]
    batch = setup.reset(*SEEDS)
    for _ in range(12):
        some = game.take(batch, picked)
        assert [view(game, some, b) for b in range(3)] == [view(game, batch, b) for b in picked]
        choices = random_choices(game.legal(batch), np.random.default_rng(0))
        batch = game.step(batch, game.choose(batch, choices))
        some = game.step(some, game.choose(some, choices[picked]))
        assert [view(game, some, b) for b in range(3)] == [view(game, batch, b) for b in picked]


@every_setup
def test_a_batch_may_have_no_boards(setup: Setup) -> None:
    game = setup.game
    for state in (setup.reset(), game.take(setup.reset(*SEEDS), [])):
        after = state
        for _ in range(3):
            choices = random_choices(game.legal(after), np.random.default_rng(0))
            after = game.step(after, game.choose(after, choices))
        shapes = [function(after).shape for function in (game.to_move, game.over, game.scores, game.ranks)]
        assert shapes == [(0, setup.players), (0,), (0, setup.players), (0, setup.players)]
        assert game.idle(after).shape[:2] == (0, setup.players)


@every_setup
def test_no_choice_is_the_action_of_idle(setup: Setup) -> None:
    state, _ = midgame(setup)
    none = np.full(setup.game.legal(state).shape[:-1], -1)
    assert np.array_equal(setup.game.choose(state, none), setup.game.idle(state))


@every_setup
def test_a_number_that_is_not_legal_does_nothing(setup: Setup) -> None:
    """As a choice it becomes the action of ``idle``; as an action it has the same effect."""
    game = setup.game
    state, _ = midgame(setup)
    legal, idle = game.legal(state), game.idle(state)
    for number in (*range(legal.shape[-1]), legal.shape[-1], 9_999):
        allowed = legal[..., number] if number < legal.shape[-1] else np.zeros_like(legal[..., 0])
        chosen = game.choose(state, np.where(allowed, -1, number))
        assert np.array_equal(chosen, idle), number
    after = game.step(state, idle)
    for wrong in (9_999, -9):
        played = game.step(state, np.full_like(idle, wrong))
        assert np.array_equal(game.scores(played), game.scores(after))
        assert np.array_equal(game.legal(played), game.legal(after))


@every_setup
def test_only_seats_to_move_have_choices_and_random_choices_end_a_match(setup: Setup) -> None:
    game, rng = setup.game, np.random.default_rng(0)
    state = game.disqualify(setup.reset(*SEEDS), 1, setup.players - 1)
    while not game.over(state).all():
        legal = game.legal(state)
        assert legal.dtype == bool
        assert not legal[~game.to_move(state)].any()
        actions = game.choose(state, random_choices(legal, rng))
        assert actions.shape == game.idle(state).shape
        state = game.step(state, actions)
    assert not game.legal(state).any()


@every_setup
def test_a_legal_answer_is_one_of_the_choices(setup: Setup) -> None:
    """Searches and learning know only choices: they could never play an answer that is not among them."""
    game = setup.game
    for state, answers in states(setup, 5):
        legal = game.legal(state)
        if legal.ndim > len("BPN"):
            return  # each agent of a seat has an order, and may be given one that comes to nothing, which is no choice
        played = [game.choose(state, np.full(legal.shape[:-1], choice)) for choice in range(legal.shape[-1])]
        for seat in (seat for seat in answers if legal[0, seat].any()):
            answered = game.parse(state, 0, seat, answers[seat])
            same = [np.array_equal(actions[0, seat], answered) for actions in played]
            assert (legal[0, seat] & same).any(), f"{answers[seat]} of seat {seat}"


weird_lines = st.lists(st.one_of(st.text(), st.text("0123456789- +_\t\x00٣²PUTMOVE", max_size=20)), max_size=12)


@every_setup
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_hostile_answers_are_illegal_or_actions(setup: Setup, data: st.DataObject) -> None:
    """Random lines, and legal lines with replaced words, raise IllegalAnswer or can be played."""
    game = setup.game
    state, answers = once(midgame, setup)
    seat, legal = next(iter(answers.items()))
    lines = data.draw(st.one_of(weird_lines, _broken(legal)))
    try:
        action = game.parse(state, 0, seat, lines)
    except IllegalAnswer:
        return
    actions = game.idle(state)
    actions[0, seat] = action
    assert view(game, game.step(state, actions), 0)


@st.composite
def _broken(draw: st.DrawFn, legal: list[str]) -> list[str]:
    """Return a legal answer with some words replaced."""
    words = st.sampled_from(
        ["", "-1", "0", "1", "99999999999999999999", "1.0", "1e3", "NaN", "٣", "+1", "1_0", "\x00", "x" * 300]
    )
    return [" ".join(draw(words) if draw(st.booleans()) else word for word in line.split(" ")) for line in legal]


@every_setup
def test_matches_repeat_and_their_replays_verify(setup: Setup) -> None:
    records = setup.match(5)
    assert records == setup.match(5)
    written = encode(records)
    assert decode(written) == records
    verify(written)


@every_setup
def test_positions_of_a_replay_are_those_of_its_match(setup: Setup) -> None:
    """Also in matches with seats at fault, whose actions are those of ``idle``."""
    game = setup.game
    for records in (setup.match(), setup.short_match()):
        made = list(positions(records))
        assert [game.frame(state, 0) for state, _ in made] == [record["frame"] for record in records[:-2]]
        state, actions = made[-1]
        assert game.scores(game.step(state, actions))[0].tolist() == records[-1]["scores"]


@pytest.mark.parametrize("wrong", WRONG, ids=["silence", "nonsense", "late", "end"])
@pytest.mark.parametrize("setup", [*filter(may_be_left, registered())], ids=str)
def test_where_seats_may_leave_nothing_is_a_fault(setup: Setup, wrong: Reply) -> None:
    """The games' own tests make sure that there are such questions."""
    game = setup.game
    outcome, records, left = leaving_match(game, wrong, players=setup.players, options=setup.options)
    assert outcome.faults == (None,) * setup.players
    assert len(set(left)) == len(left), "nobody is asked again"
    verify(encode(records))
    assert [game.frame(state, 0) for state, _ in positions(records)] == [record["frame"] for record in records[:-2]]
    assert not any(game.may_leave(setup.reset(5), 0, seat) for seat in range(setup.players))


@every_setup
def test_a_tampered_replay_does_not_verify(setup: Setup) -> None:
    records = setup.short_match()
    for number in (0, len(records) // 2, len(records) - 2):
        tampered = copy.deepcopy(records)
        tampered[number]["frame"]["turn"] += 1
        with pytest.raises(ReplayMismatch):
            verify(encode(tampered))
    tampered = [*records[:-1], {**records[-1], "hash": "0" * 64}]
    with pytest.raises(ReplayMismatch, match="footer"):
        verify(encode(tampered))
    with pytest.raises((ReplayMismatch, BadReplay)):
        verify(encode([records[0], *records[2:]]))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@every_setup
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_a_hostile_replay_is_refused_in_words(setup: Setup, data: st.DataObject) -> None:
    """If any value in a replay is replaced, verify notices, unless it is a measured time; no other exception occurs."""
    records = copy.deepcopy(once(Setup.short_match, setup))
    place: Any = records
    while True:
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.integers(0, 4)) == 0:
            break
        place = place[key]
    place[key] = data.draw(json_values)
    try:
        verify(encode(records))
    except (BadReplay, ReplayMismatch):
        return
    is_older = (key, place[key]) == ("limit_ms", None)
    assert is_older or key in ("cpu_ms", "wall_ms") or records == once(Setup.short_match, setup)
