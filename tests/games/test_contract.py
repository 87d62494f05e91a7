"""The interface ``core.game.Game``, checked for every registered game, set of rules and number of players."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from banzuke.testing.answers import WORDS, answer_problems
from banzuke.testing.contract import CHECKS, FIRST, Check
from banzuke.testing.findings import found_by
from banzuke.testing.setups import Setup, setups_of
from core.game import BadOptions, Game
from core.referee import Reply
from core.replay import BadReplay, ReplayMismatch, encode
from core.simple_adapter import as_game
from games.kakomimasu import Kind
from games.registry import game_named
from games.replays import positions, verify
from tests.core import simple_toy, toy
from tests.core.leaving import WRONG, leaving_match
from tests.core.setups import middle_sizes_in_test_all, registered
from tests.installing import games_installed

pytestmark = pytest.mark.usefixtures("toys")


def may_be_left(setup: Setup) -> bool:
    """Tell whether a game has questions that a seat may leave; in others a match of those who leave is any match."""
    return type(setup.game).may_leave is not Game.may_leave


TOYS = (toy.RockPaperScissors, simple_toy.Nim, simple_toy.Guess)
every_setup = pytest.mark.parametrize(
    "setup", middle_sizes_in_test_all([*(setup for toy in TOYS for setup in setups_of(as_game(toy))), *registered()])
)
once = cache(lambda function, setup: function(setup))
"""Calls a function of a setup once for all examples of hypothesis."""


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the toys, since the verification of a replay looks its game up by name."""
    entries = {as_game(toy).name: f"{toy.__module__}:{toy.__name__}" for toy in TOYS}
    with games_installed(tmp_path_factory.mktemp("site"), entries):
        yield


@pytest.mark.parametrize("check", [*FIRST, *CHECKS], ids=lambda check: check.__name__)
@every_setup
def test_the_contract_holds(setup: Setup, check: Check) -> None:
    assert list(found_by(check, setup)) == []


@pytest.mark.parametrize("name", ["chess", "cli", "", "puyo.plain"])
def test_an_unknown_game_raises_a_key_error(name: str) -> None:
    with pytest.raises(KeyError, match=repr(name)):
        game_named(name)


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


weird_lines = st.lists(st.one_of(st.text(), st.text("0123456789- +_\t\x00٣²PUTMOVE", max_size=20)), max_size=12)


@every_setup
@settings(max_examples=60)
@given(data=st.data())
def test_hostile_answers_are_illegal_or_actions(setup: Setup, data: st.DataObject) -> None:
    """Random lines, and legal lines with replaced words, raise IllegalAnswer or can be played."""
    state, answers = once(Setup.midgame, setup)
    seat, legal = next(iter(answers.items()))
    lines = data.draw(st.one_of(weird_lines, _broken(legal)))
    assert list(answer_problems(setup, state, seat, lines)) == []


@st.composite
def _broken(draw: st.DrawFn, legal: list[str]) -> list[str]:
    """Return a legal answer with some words replaced."""
    words = st.sampled_from(WORDS)
    return [" ".join(draw(words) if draw(st.booleans()) else word for word in line.split(" ")) for line in legal]


@pytest.mark.parametrize("wrong", WRONG, ids=["silence", "nonsense", "late", "end"])
@pytest.mark.parametrize("setup", middle_sizes_in_test_all(filter(may_be_left, registered())))
def test_where_seats_may_leave_nothing_is_a_fault(setup: Setup, wrong: Reply) -> None:
    """The games' own tests make sure that there are such questions."""
    game = setup.game
    outcome, records, left = leaving_match(game, wrong, players=setup.players, options=setup.options)
    assert outcome.faults == (None,) * setup.players
    assert len(set(left)) == len(left), "nobody is asked again"
    verify(encode(records))
    assert [game.frame(state, 0) for state, _ in positions(records)] == [record["frame"] for record in records[:-2]]
    assert not any(game.may_leave(setup.reset(5), 0, seat) for seat in range(setup.players))


@pytest.mark.parametrize("setup", middle_sizes_in_test_all(registered()))
def test_what_people_are_offered_is_what_is_legal(setup: Setup) -> None:
    """The texts offered for a line mean exactly the legal choices of the seat, or of its agent for that line."""
    game = setup.game
    for state, answers in islice(setup.states(5), 0, None, 5):
        legal = game.legal(state)
        agents = legal.ndim > len("BPN")
        choices = [game.choose(state, np.full(legal.shape[:-1], choice), legal) for choice in range(legal.shape[-1])]
        for seat, lines in answers.items():
            if not legal[0, seat].any():
                continue
            for number, texts in enumerate(game.lines_offered(state, 0, seat)):
                one = (number,) if agents else ()
                meant = [choices[choice][0, seat][one] for choice in np.flatnonzero(legal[0, seat][one])]
                parsed = [
                    game.parse(state, 0, seat, [*lines[:number], text, *lines[number + 1 :]])[one] for text in texts
                ]
                assert [each.tolist() for each in parsed if not agents or each[0] != Kind.NONE] == [
                    each.tolist() for each in meant if not agents or each[0] != Kind.STAND
                ]


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
@settings(max_examples=25)
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
    assert key in ("cpu_ms", "wall_ms") or records == once(Setup.short_match, setup)
