"""Worked examples of the rules as drawings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from games.back_to_the_code.judge import judge
from tests.games.back_to_the_code import plain


@dataclass(frozen=True)
class Example:
    """A match of some rounds, and the state after the last one."""

    name: str
    before: str
    """The board at the start; digits mark the cells on which seats start."""
    rounds: str
    """Orders, with ``;`` between rounds and ``|`` between seats."""
    after: str
    players: list[list[int]]
    """For each seat: x, y, whether BACK is left, whether it is out."""
    completed: int
    lost: tuple[str | None, ...] = ()

    def request(self) -> dict[str, Any]:
        rows = self.before.split()
        starts = {
            character: [x, y] for y, row in enumerate(rows) for x, character in enumerate(row) if character != "."
        }
        return {
            "w": len(rows[0]),
            "h": len(rows),
            "n": len(starts),
            "max": 0,
            "starts": [starts[character] for character in sorted(starts)],
            "rounds": [[order.strip() for order in round_.split("|")] for round_ in self.rounds.split(";")],
        }


EXAMPLES = [
    Example(
        "a ring that closes is filled in the same round",
        "...... .0.... ...... ...... .....1",
        "2 1 | 5 4; 3 1 | 5 4; 3 2 | 5 4; 3 3 | 5 4; 2 3 | 5 4; 1 3 | 5 4; 1 2 | 5 4",
        "...... .000.. .000.. .000.. .....1",
        [[1, 2, 1, 0], [5, 4, 1, 0]],
        7,
    ),
    Example(
        "a zone that reaches the rim is not",
        "..... ..... 0.... ..... ....1",
        "1 2 | 4 4; 2 2 | 4 4; 2 1 | 4 4; 2 0 | 4 4",
        "..0.. ..0.. 000.. ..... ....1",
        [[2, 0, 1, 0], [4, 4, 1, 0]],
        4,
    ),
    Example(
        "a diagonal ring is open",
        "..0... ...... ...... ...... ...... .....1",
        "2 1 | 5 5; 1 1 | 5 5; 1 2 | 5 5; 1 3 | 5 5; 2 3 | 5 5; 3 3 | 5 5; 3 2 | 5 5",
        "..0... .00... .0.0.. .000.. ...... .....1",
        [[3, 2, 1, 0], [5, 5, 1, 0]],
        7,
    ),
    Example(
        "a cell of another seat in a zone keeps all of it from being filled",
        "....... .0..... ..1.... ....... .......",
        "2 1 | 3 2; 3 1 | 3 2; 4 1 | 3 2; 4 2 | 3 2; 4 3 | 3 2; 3 3 | 3 2; 2 3 | 3 2; 1 3 | 3 2; 1 2 | 3 2",
        "....... .0000.. .0110.. .0000.. .......",
        [[1, 2, 1, 0], [3, 2, 1, 0]],
        9,
    ),
    Example(
        "a cell on which two stand is nobody's",
        "..... .0.1. .....",
        "2 1 | 2 1; 2 1 | 2 1",
        "..... .0.1. .....",
        [[2, 1, 1, 0], [2, 1, 1, 0]],
        2,
    ),
    Example(
        "who stays on it alone gets it",
        "..... .0.1. .....",
        "2 1 | 2 1; 2 1 | 2 1; 2 1 | 4 1",
        "..... .001. .....",
        [[2, 1, 1, 0], [3, 1, 1, 0]],
        3,
    ),
    Example(
        "ways lead along x first, and through cells of others",
        "0..1.. ...... ...... ......",
        "4 3 | 3 1; 4 3 | 3 2; 4 3 | 3 3; 4 3 | 3 3; 4 3 | 3 3; 4 3 | 3 3; 4 3 | 3 3",
        "00010. ...10. ...10. ...10.",
        [[4, 3, 1, 0], [3, 3, 1, 0]],
        7,
    ),
    Example(
        "BACK 2 in round 5 makes the next round the third",
        "0..... ...... ...... .....1",
        "1 0 | 4 3; 2 0 | 3 3; 3 0 | 2 3; 4 0 | 1 3; BACK 2 | 0 3; 2 1 | 3 2",
        "000... ..0... ...1.. ...111",
        [[2, 1, 0, 0], [3, 2, 1, 0]],
        3,
    ),
    Example(
        "two BACKs add up, and stop at the start",
        "0..... ...... ...... .....1",
        "1 0 | 4 3; 2 0 | 3 3; 3 0 | 2 3; BACK 2 | BACK 25; 0 1 | 5 2",
        "0..... 0..... .....1 .....1",
        [[0, 1, 0, 0], [5, 2, 0, 0]],
        1,
    ),
    Example(
        "BACK in the first round is spent for nothing",
        "0... .... .... ...1",
        "BACK 5 | 2 3; 1 0 | 1 3",
        "00.. .... .... .111",
        [[1, 0, 0, 0], [1, 3, 1, 0]],
        2,
    ),
    Example(
        "a filled zone is given back",
        "...... .0.... ...... ...... .....1",
        "2 1 | 5 4; 3 1 | 5 4; 3 2 | 5 4; 3 3 | 5 4; 2 3 | 5 4; 1 3 | 5 4; 1 2 | 5 4; 1 2 | BACK 3",
        "...... .000.. ...0.. ...0.. .....1",
        [[3, 3, 1, 0], [5, 4, 0, 0]],
        4,
    ),
    Example(
        "a second BACK takes its seat out",
        "0... .... .... ...1",
        "1 0 | 3 2; BACK 1 | 3 1; 2 0 | 3 2; BACK 1 | 3 1",
        "00.. ...1 ...1 ...1",
        [[1, 0, 0, 1], [3, 1, 1, 0]],
        2,
        ("noBackInTimeLeft", None),
    ),
    Example(
        "wrong orders and time-outs take their seats out",
        "0..1 .... .... 2..3",
        "4 0 | 2 0 | BACK 26 | <T>",
        "0.11 .... .... 2..3",
        [[0, 0, 1, 1], [2, 0, 1, 0], [0, 3, 1, 1], [3, 3, 1, 1]],
        1,
        ("InvalidInput x", None, "InvalidInput backRounds", "timeout"),
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.name for example in EXAMPLES])
@pytest.mark.parametrize("judge", [judge, plain.judge], ids=["fast", "plain"])
def test_examples(example: Example, judge: Any) -> None:
    request = example.request()
    first, *_, last = judge(request)["states"]
    assert first["grid"] == example.before.split()
    assert last["grid"] == example.after.split()
    assert last["players"] == example.players
    assert last["scores"] == [example.after.count(str(seat)) for seat in range(request["n"])]
    assert last["completedRounds"] == example.completed
    assert last["realRound"] == len(request["rounds"])
    assert last["lost"] == list(example.lost or [None] * request["n"])
    assert last["over"] is None
