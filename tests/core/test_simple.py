"""What ``as_game`` makes of a simple game, beyond the contract of all games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.game import BadOptions, IllegalAnswer, JsonObject
from core.playout import play_turn, random_answers, replay_answers
from core.referee import Reply, SeatInfo, drive, play
from core.simple import SimpleGame
from core.simple_adapter import as_game
from tests.core.simple_toy import Guess, Nim

NIM = as_game(Nim)


def events(players: int) -> list[dict[str, Any]]:
    """Return the events of a random match of Nim."""
    match: dict[str, Any] = {"seed": 3, "players": players, "options": {}}
    _, records = replay_answers(NIM, random_answers(NIM, **match), **match)
    return [event for record in records[1:-1] for event in record["events"]]


def test_options_have_the_types_of_their_defaults() -> None:
    assert sum(NIM.frame(NIM.reset([1], 2, {"stones": "30", "open": "false"}), 0)["heaps"]) >= 60
    for wrong in ({"stones": "many"}, {"open": 7}, {"stones": 0}, {"heaps": 3}):
        with pytest.raises(BadOptions):
            NIM.reset([1], 2, wrong)
    with pytest.raises(BadOptions, match="Nim is played by 2 or 3 players, not by 4"):
        NIM.reset([1], 4)


def test_an_answer_need_not_be_spelled_as_listed() -> None:
    state = NIM.reset([1])
    listed, other = (play_turn(NIM, state, {0: [answer]}) for answer in ("1 2", " +1  2 "))
    assert NIM.frame(listed, 0) == NIM.frame(other, 0) != NIM.frame(state, 0)


@pytest.mark.parametrize(
    ("lines", "kind"),
    [(["one two"], "not-understood"), (["0 99"], "too_many"), (["0 1", "0 1"], "wrong-lines"), ([], "not-understood")],
)
def test_an_answer_that_parse_does_not_expect_is_illegal(lines: list[str], kind: str) -> None:
    with pytest.raises(IllegalAnswer) as error:
        NIM.parse(NIM.reset([1]), 0, 0, lines)
    assert error.value.message.kind == kind


def test_without_a_parse_of_its_own_a_game_takes_what_it_lists() -> None:
    game = as_game(Guess())
    state = game.reset([0])
    game.parse(state, 0, 0, ["x", "0"])
    with pytest.raises(IllegalAnswer) as error:
        game.parse(state, 0, 0, ["x", "1"])
    assert error.value.message.kind == "no-legal-answer"


class SecretGuess(Guess):
    hides = True

    def seen(self, state: list[int], seat: int) -> JsonObject:
        return {"points": state[seat], "scores": [state[seat] if other == seat else None for other in range(2)]}


def test_a_seat_is_shown_what_the_game_says_that_it_sees() -> None:
    game = as_game(SecretGuess)
    state = play_turn(game, game.reset([0]), {0: ["x", "0"], 1: ["y", "0"]})
    assert game.hides
    assert game.seen(state, 0, 1) == {"turn": 1, "points": 1, "scores": [None, 1]}
    assert not NIM.hides
    assert NIM.seen(NIM.reset([1]), 0, 1) == NIM.frame(NIM.reset([1]), 0)


def test_only_the_first_answer_of_a_seat_has_more_time() -> None:
    state, limits = NIM.reset([1]), []
    for turn in range(4):
        limits.append(NIM.cpu_ms(state, 0, turn % 2))
        state = play_turn(NIM, state, {turn % 2: ["0 1"]})
    assert limits == [1_000, 1_000, 100, 100]


def test_a_game_may_say_why_a_seat_has_won() -> None:
    assert events(players=2)[-1]["args"] == {"why": {"kind": "last-stone", "args": {"stones": 0}}}
    assert events(players=3)[-1]["args"]["why"]["kind"] == "more-points"
    assert [event["kind"] for event in events(players=2)] == ["emptied", "emptied", "won"]


def test_the_match_ends_with_the_second_last_bot() -> None:
    outcome, records = drive(
        play(NIM, seed=1, seats=[SeatInfo("a"), SeatInfo("b")]), lambda turn: {turn.asks[0].seat: Reply(["0 99"])}
    )
    assert outcome.ranks == (2, 1)
    assert outcome.turns == records[-2]["frame"]["turn"] == 1


def test_what_is_no_game_is_refused() -> None:
    class Half(SimpleGame[int]):
        name = "half"

    with pytest.raises(TypeError, match="abstract"):
        as_game(Half)
    with pytest.raises(TypeError, match="neither"):
        as_game(dict)


def test_answers_listed_for_people_are_those_of_each_line() -> None:
    game = as_game(Guess())
    state = play_turn(game, game.reset([0]), {0: ["x", "0"]})
    assert game.lines_offered(state, 0, 0) == [["x", "y", "z"], ["0", "1"]]
    drawn = [game.random_answer(state, 0, 1, np.random.default_rng(seed)) for seed in range(40)]
    assert {tuple(lines) for lines in drawn} == {(letter, digit) for letter in "xyz" for digit in "01"}
    assert game.answer_lines(state, 0, 0) == 2


def test_choices_are_places_in_the_list_of_answers() -> None:
    state = NIM.reset([1, 2])
    legal = NIM.legal(state)
    assert (legal.shape[:2], legal[0, 1].any(), NIM.width(state)) == ((2, 2), False, Nim.answers_max)
    chosen = NIM.choose(state, np.array([[4, 0], [0, 0]]))
    by_text = NIM.idle(state)
    by_text[0, 0], by_text[1, 0] = NIM.parse(state, 0, 0, ["1 2"]), NIM.parse(state, 1, 0, ["0 1"])
    assert np.array_equal(chosen, by_text)


def test_an_action_that_is_no_text_does_nothing() -> None:
    state = NIM.reset([1])
    for wrong in (-5, 0x110000, 9_999_999):
        after = NIM.step(state, np.full_like(NIM.idle(state), wrong))
        assert NIM.frame(after, 0)["heaps"] == NIM.frame(state, 0)["heaps"]
    assert NIM.to_move(after).tolist() == [[False, True]], "the turn goes to the next seat all the same"


def test_a_too_long_answer_is_illegal_though_the_game_might_take_it() -> None:
    with pytest.raises(IllegalAnswer) as refused:
        NIM.parse(NIM.reset([1]), 0, 0, ["0 1" + " " * 2_000])
    assert refused.value.message.kind == "answer-too-long"


def test_frames_are_copies_and_hold_turn_and_points() -> None:
    state = NIM.reset([1])
    shown = NIM.frame(state, 0)
    assert (shown["turn"], shown["scores"]) == (0, [0.0, 0.0])
    shown["heaps"].clear()
    assert NIM.frame(state, 0)["heaps"]
    assert NIM.setting(state, 0) == {}


def test_batches_of_simple_games_share_boards() -> None:
    batch = NIM.reset([1, 2, 3], 3)
    some = NIM.take(NIM.disqualify(batch, 2, 1), [2, 2])
    assert [NIM.frame(some, b) for b in range(2)] == [NIM.frame(batch, 2)] * 2
    assert some.out.tolist() == [[False] * 2, [True] * 2, [False] * 2]
    assert NIM.ranks(some).tolist() == [[1, 3, 1]] * 2


def test_a_game_whose_seats_at_fault_keep_their_points_ranks_them_by_these() -> None:
    class Fair(Nim):
        faults_rank_last = False

    game = as_game(Fair())
    state = game.disqualify(game.reset([1], 3), 0, 1)
    assert game.ranks(state).tolist() == [[1, 1, 1]]
