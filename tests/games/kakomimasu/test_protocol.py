"""The exact lines of questions and answers."""

from __future__ import annotations

import re

import pytest

from games.kakomimasu import State
from games.kakomimasu.state import Kind
from games.registry import game_named
from tests.core.told import refused

GAME = game_named("kakomimasu")


BOARD = {"width": 3, "height": 2, "points": [1, -2, 3, 4, 5, -16], "nAgent": 2, "totalTurn": 3}


def begin(players: int = 2) -> State:
    state: State = GAME.reset([0], players, {"board": BOARD})
    return state


def play(state: State, *answers: list[str]) -> State:
    actions = GAME.idle(state)
    for seat, lines in enumerate(answers):
        actions[0, seat] = GAME.parse(state, 0, seat, lines)
    after: State = GAME.step(state, actions)
    return after


def test_a_match_line_by_line() -> None:
    state = begin()
    assert GAME.introduce(state, 0, 1) == ["1 2 3 2 2 3", "1 -2 3", "4 5 -16"]
    start = ["1", "0 0", "0 0", "...", "...", "-1 -1", "-1 -1", "-1 -1", "-1 -1", "-"]
    assert GAME.observe(state, 0, 0) == GAME.observe(state, 0, 1) == start
    assert GAME.answer_lines(state, 0, 0) == 2
    assert GAME.cpu_ms(state, 0, 0) == 1_000

    state = play(state, ["PUT 0 0", "PUT 1 1 hello"], ["PUT 2 1", "NONE"])
    both = ["2", "6 0", "-16 0", "A..", ".AB", "0 0", "1 1", "2 1", "-1 -1"]
    assert GAME.observe(state, 0, 0) == [*both, "0 0"]
    assert GAME.observe(state, 0, 1) == [*both, "0 5"]
    assert GAME.cpu_ms(state, 0, 0) == 100

    state = play(state, ["MOVE 0 1", "REMOVE 2 1"], ["MOVE 1 0", "PUT 9 9"])
    both = ["3", "10 0", "-2 0", "AB.", "AA.", "0 1", "1 1", "1 0", "-1 -1"]
    assert GAME.observe(state, 0, 0) == [*both, "0 0"]
    assert GAME.observe(state, 0, 1) == [*both, "0 5"]


def test_area_is_shown_by_small_letters() -> None:
    board = {"width": 3, "height": 3, "points": [1] * 4 + [-9] + [1] * 4, "nAgent": 8, "totalTurn": 2}
    state = GAME.reset([0], 2, {"board": board})
    ring = [f"PUT {x} {y}" for y in range(3) for x in range(3) if (x, y) != (1, 1)]
    state = play(state, ["NONE"] * 8, ring)
    assert GAME.observe(state, 0, 0)[:6] == ["2", "0 0", "8 9", "BBB", "BbB", "BBB"]


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("PUT 2 1", (Kind.PUT, 2, 1)),
        ("MOVE 0 0", (Kind.MOVE, 0, 0)),
        ("REMOVE 1 1 take that", (Kind.REMOVE, 1, 1)),
        ("NONE", (Kind.NONE, -1, -1)),
        ("NONE zzz 囲み", (Kind.NONE, -1, -1)),
        ("PUT 002 1", (Kind.PUT, 2, 1)),
        ("PUT -1 1", (Kind.PUT, -1, -1)),
        ("MOVE 3 1", (Kind.MOVE, -1, -1)),
        ("MOVE 1 999999999", (Kind.MOVE, -1, -1)),
    ],
)
def test_orders(line: str, order: tuple[int, int, int]) -> None:
    assert [tuple(agent) for agent in GAME.parse(begin(), 0, 0, [line, "NONE"]).tolist()] == [
        order,
        (Kind.NONE, -1, -1),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "",
        "put 1 1",
        "PUT 1  1",
        "PUT 1 1x",
        "PUT 1.0 1",
        "PUT ٣ 1",
        "PUT 1 1000000000",
        "NONESUCH",
        "\x1b[31mPUT 1 1",
        "MOVE 1 1\n",
        "x" * 5_000,
    ],
)
def test_lines_that_are_no_orders_are_named(line: str) -> None:
    sentence = refused(GAME, begin(), 0, ["NONE", line])
    assert re.fullmatch(r"Line 2 of the answer is .*, but PUT x y, .* or NONE is expected\.", sentence)
    assert sentence.isprintable()
    assert len(sentence) < 300
