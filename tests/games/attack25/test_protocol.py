"""The exact lines of questions and answers."""

from __future__ import annotations

import pytest

from games.attack25 import INVALID, NOTHING, Attack25
from games.attack25.protocol import legal
from games.attack25.state import State
from tests.games.attack25.test_rules import at_chance, begin, bid, order, pick

GAME = Attack25()


COLOURS = "RGWB"


def letters(state: State) -> str:
    return " ".join(COLOURS[seat] for seat in order(state))


def answer(state: State, *lines: str, seat: int = 0) -> tuple[int, ...]:
    return tuple(GAME.parse(state, 0, seat, lines).tolist())


@pytest.mark.parametrize("mode", ["bid", "order"])
def test_the_introduction_has_colour_chips_and_mode(mode: str) -> None:
    state = begin(mode=mode)
    assert [GAME.introduce(state, 0, seat) for seat in range(4)] == [[f"{colour} 100 {mode}"] for colour in COLOURS]


def test_the_first_round() -> None:
    state = begin()
    lines = ["BID 1 0", *["....."] * 5, "100 100 100 100", letters(state), "0 - 0 0 0 0"]
    assert [GAME.observe(state, 0, seat) for seat in range(4)] == [lines] * 4
    won = bid(state, 5, 0, 0, 2)
    assert GAME.observe(won, 0, 0) == ["PICK 1 0 0 13"]
    after = pick(won, 13)
    assert GAME.observe(after, 0, 3) == [
        "BID 2 0",
        ".....",
        ".....",
        "..R..",
        ".....",
        ".....",
        "95 100 100 100",
        letters(after),
        "13 R 5 0 0 2",
    ]
    assert GAME.observe(bid(after, 0, 1, 0, 0), 0, 1) == ["PICK 2 0 2 7,8,9,12,14,17,18,19"]


def test_in_order_mode_the_round_and_the_pick_are_one_question() -> None:
    state = begin(mode="order")
    first, second, *_ = order(state)
    assert GAME.observe(state, 0, first) == [
        "BID 1 0",
        *["....."] * 5,
        "0 0 0 0",
        letters(state),
        "0 - 0 0 0 0",
        "PICK 1 0 0 13",
    ]
    after = pick(state, 13)
    lines = GAME.observe(after, 0, second)
    assert lines[3] == f"..{COLOURS[first]}.."
    assert lines[-2] == f"13 {COLOURS[first]} 0 0 0 0"
    assert lines[-1] == "PICK 2 0 2 7,8,9,12,14,17,18,19"


@pytest.mark.parametrize("mode", ["bid", "order"])
def test_each_seat_has_longer_for_its_first_answer(mode: str) -> None:
    state, asked = begin(mode=mode), set()
    while not state.over:
        for seat in GAME.to_move(state)[0].nonzero()[0].tolist():
            assert GAME.cpu_ms(state, 0, seat) == (100 if seat in asked else 1_000)
            asked.add(seat)
        state = pick(state, NOTHING)


@pytest.mark.parametrize(("line", "bid_"), [("0", 0), ("100", 100), ("007", 7), (" 5 ", 5)])
def test_bids(line: str, bid_: int) -> None:
    assert answer(begin(), line) == (bid_, NOTHING)


@pytest.mark.parametrize("line", ["101", "-1", "", " ", "5 5", "5.0", "+5", "1_0", "٣", "five", "9" * 200, "\x00"])
def test_invalid_bids(line: str) -> None:
    assert answer(begin(), line) == (INVALID, INVALID)


def test_spent_chips_cannot_be_bid() -> None:
    state = pick(bid(begin(), 90, 0, 0, 0), 13)
    assert answer(state, "10") == (10, NOTHING)
    assert answer(state, "11") == (INVALID, INVALID)
    assert answer(state, "11", seat=1) == (11, NOTHING)


def test_picks() -> None:
    state = bid(pick(bid(begin(), 1), 13), 1)
    assert answer(state, "7") == (7, NOTHING)
    for line in ("13", "1", "0", "26", "99999999999999999999", "7 0", "7 13", "", "-7", "seven"):
        assert answer(state, line) == (INVALID, INVALID)
    assert answer(state, "7", "8") == answer(state) == (INVALID, INVALID)


def test_picks_of_the_attack_chance() -> None:
    state = bid(at_chance(begin()), 1)
    panel, other, *_ = legal(state, 0)
    assert answer(state, f"{panel} 13") == (panel, 13)
    assert answer(state, f"{panel} {panel}") == (panel, panel)
    for line in (f"{panel}", f"{panel} {other}", f"{panel} 0", f"{panel} 26", "13 13", f"{panel} 13 13", f"{panel} x"):
        assert answer(state, line) == (INVALID, INVALID)
