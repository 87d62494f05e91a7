"""The lines of a replay: what is left out, what the hash is over; and positions of a recorded match."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from core.game import Game, JsonObject
from core.message import Message
from core.record import Digest, Footer, Header, RecordedAnswer, SeatFault, SeatInfo, TurnLine, canonical, record_of
from core.referee import Reply, Turn, drive, play
from core.replay import BadReplay, ReplayMismatch, encode, header_and_footer, positions
from tests.core.toy import NOTHING, RockPaperScissors

HEADER = Header(2, "rps", "1", 7, {}, [SeatInfo("one"), SeatInfo("two", "3", "ff")], {"rounds": 1}, {"turn": 0})
WHY = Message("bot-exited", {"code": 1})
ANSWERS = [RecordedAnswer(["rock"], 1.5, 2.5, None, 100), RecordedAnswer([], 9.0, 9.5, "crashed", 100)]
TURN = TurnLine(1, [*ANSWERS], {"turn": 1}, [])
FOOTER = Footer([1, 2], [1.0, 0.0], [None, SeatFault("crashed", WHY, 1)], 1, "")
RPS = RockPaperScissors()


def digest(*lines: Any) -> str:
    made = Digest()
    for line in lines:
        made.add(line)
    return made.hexdigest()


def test_equal_values_are_equal_bytes() -> None:
    assert (
        canonical({"b": 1, "a": [1.5, "é"]}) == canonical({"a": [1.5, "é"], "b": 1}) == '{"a":[1.5,"é"],"b":1}'.encode()
    )


def test_lines_become_json_objects() -> None:
    assert "time_percent" not in record_of(HEADER)
    assert record_of(msgspec.structs.replace(HEADER, time_percent=150))["time_percent"] == 150
    assert record_of(TURN)["seats"][1] == {
        "answer": [],
        "cpu_ms": 9.0,
        "wall_ms": 9.5,
        "fault": "crashed",
        "limit_ms": 100,
    }
    assert record_of(FOOTER)["faults"] == [
        None,
        {"verdict": "crashed", "why": {"kind": "bot-exited", "args": {"code": 1}}, "turn": 1},
    ]


def test_measured_times_and_the_hash_itself_are_not_in_the_hash() -> None:
    whole = digest(HEADER, TURN, FOOTER)
    faster = msgspec.structs.replace(ANSWERS[0], cpu_ms=0.1, wall_ms=0.2)
    assert digest(HEADER, TurnLine(1, [faster, ANSWERS[1]], {"turn": 1}, []), FOOTER) == whole
    assert digest(HEADER, TURN, msgspec.structs.replace(FOOTER, hash="f" * 64)) == whole
    slower = msgspec.structs.replace(ANSWERS[0], limit_ms=200)
    assert digest(HEADER, TurnLine(1, [slower, ANSWERS[1]], {"turn": 1}, []), FOOTER) != whole
    assert digest(HEADER, TurnLine(1, [ANSWERS[0], None], {"turn": 1}, []), FOOTER) != whole


def recorded(options: JsonObject | None = None) -> list[JsonObject]:
    """Play a match in which seat 1 answers nonsense in its second turn."""

    def answer(turn: Turn) -> dict[int, Reply]:
        words = ("paper", "rock" if turn.number == 1 else "lizard")
        return {ask.seat: Reply([words[ask.seat]]) for ask in turn.asks}

    return drive(play(RPS, seed=7, seats=[SeatInfo("one"), SeatInfo("two")], options=options), answer)[1]


def rules_of(header: Header) -> Game[Any]:
    if header.game != "rps":
        raise ReplayMismatch("It is another game.")
    return RPS


def test_header_and_footer_are_read_without_the_turns() -> None:
    records = recorded()
    header, footer = header_and_footer(encode(records))
    assert ([seat.name for seat in header.seats], footer.turns) == (["one", "two"], 3)
    records[1]["seats"] = "no seats"
    assert header_and_footer(encode(records)) == (header, footer)
    with pytest.raises(BadReplay, match="broken line"):
        header_and_footer(encode(records[:-1]))


@pytest.mark.parametrize("options", [{}, {"pause": True}])
def test_positions_are_the_states_before_each_turn(options: JsonObject) -> None:
    records = recorded(options)
    made = list(positions(records, rules_of))
    assert [RPS.frame(state, 0) for state, _ in made] == [record["frame"] for record in records[:-2]]
    first, *_ = made
    assert first[1].tolist() == [[1, 0]]
    assert NOTHING in made[-1][1][0], "a seat at fault does nothing"


def test_positions_need_the_rules_of_the_match() -> None:
    records = recorded()
    records[0]["game"] = "chess"
    with pytest.raises(ReplayMismatch, match="another game"):
        next(positions(records, rules_of))
