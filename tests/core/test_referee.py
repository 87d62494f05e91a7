"""The referee, tested with the toy game rock, paper, scissors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec import to_builtins

from core.game import Actions, BadOptions, Event, JsonObject
from core.message import Message, said
from core.referee import ANSWER_CHARS_MAX, LEFT, Forgiven, Outcome, Reply, SeatFault, SeatInfo, Turn, drive, play
from tests.core.toy import NOTHING, WORDS, RockPaperScissors

pytestmark = pytest.mark.usefixtures("rps")

ENDED = Message("bot-exited", {"code": 1})
CRASH = Reply((), 3.0, 4.0, "crashed", ENDED)


CRASHED = {"verdict": "crashed", "why": to_builtins(ENDED)}


def more_points(points: int, second: int) -> JsonObject:
    return {"kind": "more-points", "args": {"points": points, "other": 0, "second": {"seat": second}}}


def says(text: str, **fields: Any) -> Reply:
    return Reply([text], **fields)


def match(
    *seats: list[Reply], options: JsonObject | None = None, turns: list[Turn] | None = None
) -> tuple[Outcome, list[JsonObject]]:
    """Play a match with these replies of each seat, one for each turn; the turns yielded are added to ``turns``."""

    def answer(turn: Turn) -> dict[int, Reply]:
        if turns is not None:
            turns.append(turn)
        return {ask.seat: seats[ask.seat][turn.number - 1] for ask in turn.asks}

    infos = [SeatInfo(f"bot {seat}", "1", "ab") for seat in range(len(seats))]
    return drive(play(RockPaperScissors(), seed=7, seats=infos, options=options), answer)


ROCK, PAPER, SCISSORS = says("rock"), says("paper"), says("scissors")


def test_the_better_bot_wins() -> None:
    outcome, _ = match([ROCK, PAPER, PAPER], [SCISSORS, PAPER, ROCK])
    assert outcome.ranks == (1, 2)
    assert outcome.scores == (2.0, 0.0)
    assert outcome.faults == (None, None)
    assert outcome.turns == 3


def test_equals_share_the_better_place() -> None:
    assert match([ROCK] * 3, [ROCK] * 3)[0].ranks == (1, 1)
    assert match([PAPER] * 3, [PAPER] * 3, [ROCK] * 3)[0].ranks == (1, 1, 3)


def test_questions_carry_the_introduction_once_and_the_limits() -> None:
    turns: list[Turn] = []
    match([ROCK] * 3, [ROCK] * 3, turns=turns)
    assert [turn.number for turn in turns] == [1, 2, 3]
    assert [ask.lines for ask in turns[0].asks] == [("you are 0", "round 1"), ("you are 1", "round 1")]
    assert [ask.lines for ask in turns[1].asks] == [("round 2",), ("round 2",)]
    assert {(ask.answer_lines, ask.cpu_ms) for turn in turns for ask in turn.asks} == {(1, 100)}


def test_the_records_are_the_format_of_the_docs() -> None:
    _, records = match([says("rock", cpu_ms=1.234, wall_ms=5.67)], [says("paper")], options={"rounds": 1})
    assert records[0] == {
        "format": 2,
        "game": "rps",
        "rules": "1",
        "seed": 7,
        "options": {"rounds": 1},
        "seats": [{"name": "bot 0", "version": "1", "digest": "ab"}, {"name": "bot 1", "version": "1", "digest": "ab"}],
        "setting": {"rounds": 1},
        "frame": {"turn": 0, "points": [0, 0]},
    }
    assert records[1] == {
        "turn": 1,
        "seats": [
            {"answer": ["rock"], "cpu_ms": 1.2, "wall_ms": 5.7, "fault": None, "limit_ms": 100},
            {"answer": ["paper"], "cpu_ms": 0.0, "wall_ms": 0.0, "fault": None, "limit_ms": 100},
        ],
        "frame": {"turn": 1, "points": [0, 1]},
        "events": [
            {"turn": 1, "kind": "point", "seat": 1, "args": {"points": 1}},
            {"turn": 1, "kind": "won", "seat": 1, "args": {"why": more_points(1, 0)}},
        ],
    }
    recorded_hash = records[2].pop("hash")
    assert records[2] == {"ranks": [2, 1], "scores": [0.0, 1.0], "faults": [None, None], "turns": 1}
    assert len(bytes.fromhex(recorded_hash)) == 32


def test_a_seat_at_fault_is_never_asked_again_and_ranks_last() -> None:
    turns: list[Turn] = []
    outcome, records = match([PAPER, CRASH], [ROCK] * 3, turns=turns)
    assert [[ask.seat for ask in turn.asks] for turn in turns] == [[0, 1], [0, 1], [1]]
    assert outcome.scores == (1.0, 0.0)
    assert outcome.ranks == (2, 1)
    assert outcome.faults == (SeatFault("crashed", ENDED, 2), None)
    times = {"cpu_ms": 3.0, "wall_ms": 4.0, "limit_ms": 100}
    assert records[2]["seats"][0] == {"answer": [], **times, "fault": "crashed"}
    assert records[2]["events"][0] == {"turn": 2, "kind": "fault", "seat": 0, "args": CRASHED}
    assert records[3]["seats"][0] is None


@pytest.mark.parametrize(
    ("first", "second", "third", "ranks"),
    [
        ([CRASH], [ROCK, CRASH], [ROCK] * 3, (3, 2, 1)),
        ([PAPER, CRASH], [ROCK, CRASH], [ROCK] * 3, (2, 2, 1)),
        ([CRASH], [ROCK] * 3, [PAPER] * 3, (3, 2, 1)),
        ([CRASH], [ROCK] * 3, [ROCK] * 3, (3, 1, 1)),
    ],
)
def test_an_earlier_fault_is_the_worse_one(
    first: list[Reply], second: list[Reply], third: list[Reply], ranks: tuple[int, ...]
) -> None:
    assert match(first, second, third)[0].ranks == ranks


@pytest.mark.parametrize(
    "reply", [CRASH, says("lizard"), Reply([]), says("paper", fault="time", why=said("Late.")), Reply(["rock"] * 3)]
)
def test_where_a_seat_may_leave_no_answer_is_a_fault(monkeypatch: pytest.MonkeyPatch, reply: Reply) -> None:
    monkeypatch.setattr(RockPaperScissors, "may_leave", lambda game, state, b, seat: state.round[b] == 1)
    turns: list[Turn] = []
    outcome, records = match([PAPER, reply], [ROCK] * 3, turns=turns)
    assert [[ask.seat for ask in turn.asks] for turn in turns] == [[0, 1], [0, 1], [1]]
    assert outcome.faults == (None, None)
    assert (records[2]["seats"][0]["answer"], records[2]["seats"][0]["fault"]) == ([], None)
    assert records[2]["events"][0] == {"turn": 2, "kind": "out", "seat": 0, "args": {"why": to_builtins(LEFT)}}


def test_a_forbidden_call_is_a_fault_even_where_a_seat_may_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RockPaperScissors, "may_leave", lambda game, state, b, seat: True)
    outcome, _ = match([Reply((), fault="security", why=ENDED)], [ROCK] * 3)
    assert outcome.faults[0] == SeatFault("security", ENDED, 1)


def test_a_game_may_let_seats_at_fault_keep_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RockPaperScissors, "faults_rank_last", False)
    monkeypatch.setattr(RockPaperScissors, "ranks", lambda game, state: np.array([[1, 2]]))
    outcome, _ = match([PAPER, CRASH], [ROCK] * 3)
    assert outcome.ranks == (1, 2)
    assert outcome.faults[0] == SeatFault("crashed", ENDED, 2)


def test_the_match_ends_when_no_seat_is_left() -> None:
    outcome, records = match([ROCK, CRASH], [ROCK, says("lizard")])
    assert outcome.turns == 2
    assert outcome.ranks == (1, 1)
    assert len(records) == 4


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], Message("fewer-lines", {"count": 1})),
        (["rock", "rock"], Message("more-lines", {"count": 1})),
        (["rock"] * 1_000_000, Message("more-lines", {"count": 1})),
        (["r" * (ANSWER_CHARS_MAX + 1)], Message("answer-too-long", {"most": ANSWER_CHARS_MAX})),
        (["r" * 1_000_000], Message("answer-too-long", {"most": ANSWER_CHARS_MAX})),
        (["lizard"], Message("no_hand", {"answer": "'lizard'"})),
        (["\ud800"], Message("no_hand", {"answer": "'?'"})),
    ],
)
def test_illegal_answers(lines: list[str], why: Message) -> None:
    outcome, records = match([Reply(lines)], [ROCK] * 3)
    assert outcome.faults[0] == SeatFault("illegal answer", why, 1)
    recorded = records[1]["seats"][0]["answer"]
    assert len(recorded) <= 2
    assert all(len(line) <= ANSWER_CHARS_MAX + 1 for line in recorded)


def test_turns_in_which_nobody_is_asked_are_played_and_recorded() -> None:
    turns: list[Turn] = []
    _, records = match([ROCK] * 3, [PAPER] * 3, options={"pause": True}, turns=turns)
    assert [turn.number for turn in turns] == [1, 3]
    assert [record["turn"] for record in turns[1].records] == [1, 2]
    assert records[2]["seats"] == [None, None]


@pytest.mark.parametrize(
    ("replies", "kind", "seat", "why"),
    [
        ([[PAPER] * 3, [ROCK] * 3], "won", 0, more_points(3, 1)),
        ([[ROCK] * 3, [ROCK] * 3], "drawn", None, {"kind": "equal-points", "args": {"points": 0}}),
        ([[ROCK, CRASH], [PAPER, CRASH]], "drawn", None, {"kind": "all-out", "args": {}}),
        ([[CRASH], [PAPER, CRASH]], "won", 1, {"kind": "out-last", "args": {}}),
        ([[CRASH], [ROCK] * 3], "won", 1, {"kind": "others-out", "args": {"count": 1, "other": {"seat": 0}}}),
        ([[CRASH], [ROCK] * 3, [PAPER] * 3], "won", 2, more_points(3, 1)),
    ],
)
def test_the_last_event_tells_who_won_and_why(
    replies: list[list[Reply]], kind: str, seat: int | None, why: JsonObject
) -> None:
    *_, last, _ = match(*replies)[1]
    event = last["events"][-1]
    assert (event["kind"], event["seat"], event["args"]["why"]) == (kind, seat, why)
    assert event["args"].get("second") == (None if seat is not None else {"seat": 1})


def test_timings_do_not_change_the_hash_but_answers_do() -> None:
    hashes = [
        match([says("rock", cpu_ms=ms)], [says(word)], options={"rounds": 1})[1][-1]["hash"]
        for ms, word in [(1.0, "rock"), (2.0, "rock"), (1.0, "paper")]
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_bad_options_and_wrong_numbers_of_seats_are_refused() -> None:
    with pytest.raises(BadOptions):
        match([ROCK], [ROCK], options={"rounds": "many"})
    with pytest.raises(BadOptions):
        match([ROCK])


class Patient(RockPaperScissors):
    """Takes whatever is no hand for doing nothing."""

    def parse(self, state: Any, b: int, seat: int, lines: Any) -> Actions:
        return super().parse(state, b, seat, lines) if lines[0] in WORDS else np.array(NOTHING)

    def forgives(self, action: Actions) -> bool:
        return bool(action == NOTHING)


def test_answers_that_a_game_forgives_are_counted_for_their_author() -> None:
    words = [("rock", "well"), ("lizard\x1b", "rock"), ("spock", "rock")]
    replies = [{seat: says(word) for seat, word in enumerate(turn)} for turn in words]
    seats = [SeatInfo("a"), SeatInfo("b")]
    outcome, _ = drive(play(Patient(), seed=7, seats=seats), lambda turn: replies[turn.number - 1])
    assert outcome.faults == (None, None)
    first, second = outcome.forgiven
    assert first == Forgiven(2, 2, r"'lizard\x1b'")
    assert second == Forgiven(1, 1, "'well'")
    assert first.message == Message("forgiven", {"count": 2, "turn": 2, "answer": r"'lizard\x1b'"})
    assert match([ROCK] * 3, [ROCK] * 3)[0].forgiven == (None, None)


def test_the_referee_tells_itself_that_a_seat_is_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows the reason; the game's own event about another seat stays."""

    def commentary(game: object, setting: JsonObject, frames: list[JsonObject]) -> list[Event]:
        return [Event(turn=frames[-1]["turn"], kind="out", seat=seat, args={}) for seat in (0, 1)]

    monkeypatch.setattr(RockPaperScissors, "commentary", commentary)
    events = match([CRASH], [ROCK] * 3)[1][1]["events"]
    assert [(event["kind"], event["seat"]) for event in events] == [("fault", 0), ("out", 1)]


def test_what_only_the_end_completes_is_told_before_who_won(monkeypatch: pytest.MonkeyPatch) -> None:
    def closing(game: object, setting: JsonObject, frames: list[JsonObject]) -> list[Event]:
        return [Event(turn=frames[-1]["turn"], kind="sum", seat=None, args={"frames": len(frames)})]

    monkeypatch.setattr(RockPaperScissors, "closing", closing)
    _header, first, _second, last, _footer = match([PAPER] * 3, [ROCK] * 3)[1]
    assert [event["kind"] for event in first["events"]] == ["point"]
    assert [event["kind"] for event in last["events"]] == ["point", "sum", "won"]
    assert last["events"][1]["args"] == {"frames": 4}


@pytest.mark.parametrize(("percent", "cpu_ms"), [(25, 1), (100, 2), (400, 8)])
def test_an_answer_has_some_time_however_little_a_game_gives(
    monkeypatch: pytest.MonkeyPatch, percent: int, cpu_ms: int
) -> None:
    monkeypatch.setattr(RockPaperScissors, "cpu_ms", lambda *_: 2)
    first = next(play(RockPaperScissors(), seed=7, seats=[SeatInfo("a"), SeatInfo("b")], time_percent=percent))
    assert {ask.cpu_ms for ask in first.asks} == {cpu_ms}


def test_a_reply_that_is_missing_is_an_error_of_the_caller() -> None:
    game = play(RockPaperScissors(), seed=7, seats=[SeatInfo("a"), SeatInfo("b")])
    next(game)
    with pytest.raises(KeyError):
        game.send({0: ROCK})


def test_no_question_shows_the_state_that_it_carries() -> None:
    first = next(play(RockPaperScissors(), seed=7, seats=[SeatInfo("a"), SeatInfo("b")]))
    assert "state" not in repr(first.asks[0])
    assert first.asks[0].state.round.tolist() == [0]
