"""What every game does at a table: who may sit there, how long answers may take, and how a match goes on or ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from banzuke.testing import Setup
from core.game import BadOptions
from core.message import Message
from core.playout import play_turn
from games.registry import game_named
from tests.core.setups import registered
from tests.own import OWN

every_setup = pytest.mark.parametrize("setup", registered(), ids=str)
every_game = pytest.mark.parametrize("game", OWN)


def advanced(setup: Setup, seed: int, turns: int) -> Any:
    """Return the state after some turns in which all seats answer at random."""
    game, rng, state = setup.game, np.random.default_rng(seed), setup.reset(seed)
    for _ in range(turns):
        asked = np.flatnonzero(game.to_move(state)[0]).tolist()
        state = play_turn(game, state, {seat: game.random_answer(state, 0, seat, rng) for seat in asked})
    return state


@every_game
def test_a_table_of_another_size_is_refused_in_a_sentence_with_the_sizes(game: str) -> None:
    rules = game_named(game)
    for players in {0, 1, 2, 3, 4, 5} - set(rules.players):
        with pytest.raises(BadOptions) as refused:
            rules.reset([0], players)
        sentence = str(refused.value)
        assert sentence.startswith(f"{rules.title} is played by ")
        assert sentence.endswith(f" players, not by {players}.")
        assert all(str(size) in sentence for size in rules.players)


@every_game
def test_no_matches_at_all_are_a_batch_too(game: str) -> None:
    rules = game_named(game)
    for players in rules.players:
        state = rules.reset([], players)
        assert rules.over(state).shape == (0,)
        assert rules.scores(state).shape == rules.to_move(state).shape == (0, players)
        assert rules.ranks(rules.step(state, rules.idle(state))).shape == (0, players)


@pytest.mark.parametrize(
    ("game", "options", "named"),
    [
        ("attack25", {"mode": "auction"}, "mode"),
        ("back_to_the_code", {"width": 1}, "width"),
        ("back_to_the_code", {"height": 41}, "height"),
        ("back_to_the_code", {"rounds": 0}, "rounds"),
        ("back_to_the_code", {"rounds": 1_001}, "rounds"),
        ("kakomimasu", {"fill": 2020.5}, "fill"),
        ("kakomimasu", {"turns": 1_001}, "turns"),
        ("puyo", {"ruleset": "fever"}, "ruleset"),
        ("wondev_woman", {"league": 4}, "league"),
        ("wondev_woman", {"map": "round"}, "map"),
        ("wondev_woman", {"java_seed": 2**63}, "java_seed"),
        ("wondev_woman", {"symmetric": "perhaps"}, "symmetric"),
    ],
)
def test_an_option_out_of_its_bounds_is_named(game: str, options: dict[str, object], named: str) -> None:
    with pytest.raises(BadOptions, match=named):
        game_named(game).reset([0], 2, options)


@every_game
def test_options_may_be_text_as_on_command_lines(game: str) -> None:
    rules = game_named(game)
    for options in rules.rulesets.values():
        text = {name: str(value) for name, value in options.items()}
        one, other = (rules.reset([3], rules.players[0], each) for each in (options, text))
        assert rules.setting(one, 0) == rules.setting(other, 0)
        assert rules.frame(one, 0) == rules.frame(other, 0)


@every_setup
def test_only_the_first_answer_of_a_seat_has_the_long_time_limit(setup: Setup) -> None:
    game, rng, answered = setup.game, np.random.default_rng(1), set[int]()
    state, limits = setup.reset(1), (game.cpu_ms(setup.reset(1), 0, 0), 0)
    for _ in range(12):
        asked = np.flatnonzero(game.to_move(state)[0]).tolist()
        for seat in asked:
            limit = game.cpu_ms(state, 0, seat)
            assert limit == limits[0] if seat not in answered else limit < limits[0]
        answered |= set(asked)
        state = play_turn(game, state, {seat: game.random_answer(state, 0, seat, rng) for seat in asked})


@every_setup
def test_boards_may_be_taken_several_times_and_in_any_order(setup: Setup) -> None:
    game = setup.game
    state = game.reset([1, 2, 3], setup.players, setup.options)
    state = game.step(state, game.idle(state))
    some = game.take(state, [2, 0, 2])
    assert [game.frame(some, b) for b in range(3)] == [game.frame(state, b) for b in (2, 0, 2)]
    after, whole = game.step(some, game.idle(some)), game.step(state, game.idle(state))
    assert [game.frame(after, b) for b in range(3)] == [game.frame(whole, b) for b in (2, 0, 2)]
    assert np.array_equal(game.scores(after), game.scores(whole)[[2, 0, 2]])
    assert game.over(game.take(state, [])).shape == (0,)


@every_setup
def test_a_choice_below_zero_or_too_large_is_the_action_of_doing_nothing(setup: Setup) -> None:
    game = setup.game
    state = advanced(setup, 2, 3)
    legal = game.legal(state)
    for number in (-1, -5, legal.shape[-1], 10**6):
        chosen = game.choose(state, np.full(legal.shape[:-1], number))
        assert game.frame(game.step(state, chosen), 0) == game.frame(game.step(state, game.idle(state)), 0)


@every_setup
def test_answers_at_random_follow_from_the_generator_alone(setup: Setup) -> None:
    frames = [setup.game.frame(advanced(setup, 4, 6), 0) for _ in range(2)]
    assert frames[0] == frames[1]


@every_setup
def test_a_seat_that_is_out_is_asked_no_more_and_ranks_behind_or_by_its_points(setup: Setup) -> None:
    game, state = setup.game, advanced(setup, 5, 4)
    state = game.disqualify(state, 0, setup.players - 1)
    assert not game.to_move(state)[0, -1]
    assert not game.legal(state)[0, -1].any()
    ranks = game.ranks(state)[0]
    if game.faults_rank_last:
        assert ranks[-1] == setup.players
    for _ in range(3):
        state = game.step(state, game.idle(state))
        assert not game.to_move(state)[0, -1]


@every_setup
def test_a_match_that_has_begun_tells_nothing_yet_and_names_each_turn(setup: Setup) -> None:
    game, state = setup.game, setup.reset(6)
    setting, frames = game.setting(state, 0), [game.frame(state, 0)]
    assert game.commentary(setting, frames) == []
    assert frames[0]["turn"] == 0
    for turn in range(1, 4):
        state = game.step(state, game.idle(state))
        frames.append(game.frame(state, 0))
        if frames[-1]["turn"] != turn:
            break  # the match is over: all seats have given up
        assert all(event["turn"] == turn for event in game.commentary(setting, frames))


# --- Why a match has ended ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("league", "ranks", "scores", "message"),
    [
        (0, [1, 2], [1, 0], Message("top")),
        (0, [2, 1], [-1, 0], Message("others-out", {"count": 1, "other": {"seat": 0}})),
        (0, [1, 1], [0, 0], Message("equal-points", {"points": 0})),
        (3, [1, 2], [5, 2], Message("more-points", {"points": 5, "other": 2, "second": {"seat": 1}})),
    ],
)
def test_wondev_woman_tells_what_decides(league: int, ranks: list[int], scores: list[float], message: Message) -> None:
    game = game_named("wondev_woman")
    state = game.reset([1], 2, {"league": league})
    setting, frames = game.setting(state, 0), [game.frame(state, 0)]
    assert game.reason(setting, frames, ranks, scores) == message


@pytest.mark.parametrize(
    ("turn", "dead", "ranks", "kind"),
    [
        (400, [False, False], [1, 2], "more-points"),
        (400, [False, False], [1, 1], "equal-points"),
        (400, [True, False], [2, 1], "no_room"),
        (90, [False, True], [1, 2], "no_room"),
        (90, [True, True], [1, 1], "no_room_at_all"),
    ],
)
def test_puyo_tells_whether_room_or_points_decided(turn: int, dead: list[bool], ranks: list[int], kind: str) -> None:
    game = game_named("puyo")
    state = game.reset([1], 2)
    last = game.frame(state, 0) | {"turn": turn, "dead": dead}
    scores = [40.0, 40.0] if kind == "equal-points" else [70.0, 40.0]
    message = game.reason(game.setting(state, 0), [last], ranks, scores)
    assert message.kind == kind
    if kind == "no_room":
        assert message.args == {"other": {"seat": ranks.index(2)}}
