"""What the interface of games does by itself, and how options are read; with the toy game rock, paper, scissors."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import numpy as np
import pytest

from core.game import QUESTION_BYTES, BadOptions, Game, IllegalAnswer, plain, quoted, read_options
from core.message import Message
from core.referee import ANSWER_CHARS_MAX, Ask, answer_read
from tests.core.toy import NOTHING, WORDS, RockPaperScissors

RPS = RockPaperScissors()


def text_of(seen: np.ndarray[Any, Any]) -> str:
    return bytes(seen[seen > 0].tolist()).decode()


def test_an_observation_is_the_text_of_the_question_by_default() -> None:
    state = RPS.disqualify(RPS.reset([1, 2], 2), 1, 0)
    seen = RPS.observation(state, 0)
    assert (seen.shape, seen.dtype) == ((2, QUESTION_BYTES), np.uint8)
    assert text_of(seen[0]) == "you are 0\nround 1"
    assert not seen[1].any(), "a seat that is out is told nothing"
    assert text_of(RPS.observation(state, 1)[1]) == "you are 1\nround 1"


def test_a_question_that_is_too_long_for_an_observation_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RockPaperScissors, "observe", lambda *_: ["x" * QUESTION_BYTES])
    with pytest.raises(ValueError, match=rf"scissors has {QUESTION_BYTES + 10} bytes, .* give the game a method"):
        RPS.observation(RPS.reset([1]), 0)


def test_choices_that_are_not_legal_become_the_action_of_idle() -> None:
    state = RPS.disqualify(RPS.reset([1, 2, 3], 2), 2, 1)
    chosen = RPS.choose(state, np.array([[0, 2], [3, -7], [1, 1]]))
    assert chosen.tolist() == [[0, 2], [NOTHING, NOTHING], [1, NOTHING]]
    assert RPS.choose(state, np.array([[0, 0]] * 3), RPS.legal(state) & False).tolist() == [[NOTHING] * 2] * 3


def test_people_are_offered_what_random_bots_answer() -> None:
    (offered,) = RPS.lines_offered(RPS.reset([1]), 0, 0)
    assert sorted(offered) == sorted(WORDS)


def test_a_game_forgives_nothing_and_lets_nobody_leave_by_itself() -> None:
    state = RPS.reset([1])
    assert not RPS.forgives(RPS.parse(state, 0, 0, ["rock"]))
    assert not RPS.may_leave(state, 0, 0)
    assert (RPS.width(state), RPS.padded(state)) == (3, state)
    assert RPS.seen(state, 0, 1) == RPS.frame(state, 0)
    assert RPS.closing({}, [RPS.frame(state, 0)]) == []


def test_the_end_of_a_match_is_told_by_the_field_over_by_default() -> None:
    class Fields(msgspec.Struct):
        over: list[bool]

    assert Game.over(RPS, Fields([True, False])).tolist() == [True, False]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ranks", "scores", "why"),
    [
        ([2, 1], [1.0, 4.5], Message("more-points", {"points": 4.5, "other": 1, "second": {"seat": 0}})),
        ([1, 1, 3], [2.0, 2.0, 0.0], Message("equal-points", {"points": 2})),
        ([2, 1, 3], [3.0, 3.0, 1.0], Message("tie-broken", {"points": 3, "other": 3, "second": {"seat": 0}})),
    ],
)
def test_who_is_first_is_explained_by_points(ranks: list[int], scores: list[float], why: Message) -> None:
    assert RPS.reason({}, [], ranks, scores) == why


class Board(msgspec.Struct, forbid_unknown_fields=True):
    """Options of a game, some with words to choose from."""

    size: int = 8
    shape: Literal["square", "hexagonal"] = "square"
    start: Literal["corner"] | None = None


def test_options_may_be_text_as_on_command_lines() -> None:
    assert read_options({"size": "12", "shape": "hexagonal"}, Board) == Board(12, "hexagonal")
    assert read_options(None, Board) == read_options({}, Board) == Board()


@pytest.mark.parametrize("wrong", [{"size": "big"}, {"shape": "round"}, {"colour": 1}, {"shape": "\ud800"}])
def test_wrong_options_are_refused_with_all_that_are_known(wrong: dict[str, Any]) -> None:
    with pytest.raises(
        BadOptions, match=r"^These options do not fit: .* Known are: size, shape \(square, hexagonal\), "
    ):
        read_options(wrong, Board)


def test_numbers_and_texts_are_shortened_for_messages() -> None:
    assert [plain(number) for number in (12.0, 0.5, -3.0)] == [12, 0.5, -3]
    assert quoted("a\x1b") == r"'a\x1b'"
    assert quoted("é" * 41) == "'" + r"\xe9" * 40 + "' .."
    assert str(IllegalAnswer("no-hand", answer="x")) == "no-hand {'answer': 'x'}"
    assert str(IllegalAnswer("no-hand")) == "no-hand"


@pytest.mark.parametrize(
    ("lines", "kind"),
    [([], "fewer-lines"), (["rock"] * 2, "more-lines"), (["r" * (ANSWER_CHARS_MAX + 1)], "answer-too-long")],
)
def test_an_answer_is_measured_before_the_game_reads_it(lines: list[str], kind: str) -> None:
    ask = Ask(0, ("round 1",), 1, 100, RPS.reset([1]))
    assert answer_read(RPS, ask, ["paper"]) == WORDS.index("paper")
    with pytest.raises(IllegalAnswer) as refused:
        answer_read(RPS, ask, lines)
    assert refused.value.message.kind == kind
