"""What the player of a seat sees of a running match in which seats know less than the frames show."""

from __future__ import annotations

from core.game import JsonObject
from core.message import Message
from core.referee import Reply, SeatInfo, Turn, drive, play
from core.sight import Sight
from tests.core.toy import RockPaperScissors, State

CRASH = Reply([], fault="crashed", why=Message("bot-exited", {"code": 1}))


class Dark(RockPaperScissors):
    """Each seat sees its own points alone."""

    hides = True

    def seen(self, state: State, b: int, seat: int) -> JsonObject:
        return {"turn": int(state.round[b]), "mine": int(state.points[b, seat])}


def seen_by(seat: int, *turns: tuple[Reply, Reply], options: JsonObject | None = None) -> list[JsonObject]:
    """Return the lines that a seat is shown while a match is played, up to its last question."""
    sight, lines = Sight(Dark(), seat), list[JsonObject]()

    def answer(turn: Turn) -> dict[int, Reply]:
        lines.extend(sight.records(turn))
        return {ask.seat: turns[turn.number - 1][ask.seat] for ask in turn.asks}

    drive(play(Dark(), seed=7, seats=[SeatInfo("one"), SeatInfo("two")], options=options), answer)
    return lines


PAPER_ROCK = (Reply(["paper"]), Reply(["rock"]))


def test_the_seed_is_hidden_as_it_tells_what_comes() -> None:
    header, *_ = seen_by(0, *[PAPER_ROCK] * 3)
    assert header["seed"] == 0
    assert header["frame"] == {"turn": 0, "mine": 0}
    assert [seat["name"] for seat in header["seats"]] == ["one", "two"]


def test_a_seat_sees_its_own_answers_and_what_its_questions_tell() -> None:
    _header, first, second = seen_by(1, *[PAPER_ROCK] * 3)
    assert [answer and answer["answer"] for answer in first["seats"]] == [None, ["rock"]]
    assert (first["frame"], second["frame"]) == ({"turn": 1, "mine": 0}, {"turn": 2, "mine": 0})
    assert first["events"] == second["events"] == [], "points of others are told at the end"
    assert seen_by(0, *[PAPER_ROCK] * 3)[1]["frame"] == {"turn": 1, "mine": 1}


def test_the_frame_stands_still_in_turns_in_which_the_seat_is_not_asked() -> None:
    """The attack: a frame between two questions shows what has come and gone."""
    lines = seen_by(0, *[PAPER_ROCK] * 3, options={"pause": True})
    assert [line["frame"] for line in lines] == [
        {"turn": 0, "mine": 0},
        {"turn": 1, "mine": 0},
        {"turn": 2, "mine": 1},
    ]


def test_a_fault_is_told_at_once_to_the_seat_alone() -> None:
    turns = [(Reply(["paper"]), CRASH), *[PAPER_ROCK] * 2]
    _header, mine, after = seen_by(1, *turns)
    assert [(event["kind"], event["seat"]) for event in mine["events"]] == [("fault", 1)]
    assert after["frame"] == {"turn": 2, "mine": 0}
    _header, theirs, _after = seen_by(0, *turns)
    assert theirs["events"] == []
