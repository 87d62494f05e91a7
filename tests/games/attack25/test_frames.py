"""The data for viewers: setting, frames and commentary."""

from __future__ import annotations

from typing import Any

import pytest

from core.game import JsonObject
from core.playout import random_answers, replay_answers
from games.attack25 import INVALID, NOTHING, Attack25
from tests.core.told import told
from tests.games.attack25.test_rules import begin, bid, order, pick

GAME = Attack25()


SETTING = GAME.setting(begin(), 0)


def test_frames_of_a_round() -> None:
    state = begin()
    start = {
        "turn": 0,
        "round": 1,
        "chance": False,
        "tiles": ["....."] * 5,
        "panels": [0, 0, 0, 0],
        "chips": [100, 100, 100, 100],
        "bids": [0, 0, 0, 0],
        "faults": [0, 0, 0, 0],
        "order": ["RGWB"[seat] for seat in order(state)],
        "picks": None,
        "legal": [],
        "class": None,
        "taken": None,
        "erased": None,
    }
    assert GAME.frame(state, 0) == start
    won = bid(state, 5, 0, 0, INVALID)
    paid = {"chips": [95, 100, 100, 100], "bids": [5, 0, 0, 0], "faults": [0, 0, 0, 1]}
    assert GAME.frame(won, 0) == start | paid | {"turn": 1, "picks": 0, "legal": [13], "class": 0}
    after = start | paid | {"turn": 2, "round": 2, "panels": [1, 0, 0, 0], "taken": 13}
    assert GAME.frame(pick(won, 13), 0) == after | {"tiles": [".....", ".....", "..R..", ".....", "....."]}


def test_the_end_has_no_round() -> None:
    state = begin()
    while not state.over:
        state = pick(state, NOTHING)
    frame = GAME.frame(state, 0)
    assert (frame["turn"], frame["round"], frame["picks"], sum(frame["panels"])) == (52, 0, None, 25)


EMPTY = "....." * 5


def frame(turn: int, text: str = EMPTY, **more: Any) -> JsonObject:
    rows = [text[start : start + 5] for start in range(0, 25, 5)]
    panels = [text.count(colour) for colour in "RGWB"]
    usual = {"chance": False, "chips": [9] * 4, "faults": [0] * 4, "picks": None, "taken": None, "erased": None}
    return usual | {"turn": turn, "tiles": rows, "panels": panels} | more


def row(text: str) -> str:
    return text.ljust(25, ".")


def events_of(*frames: JsonObject) -> list[str]:
    events = GAME.commentary(SETTING, frames)
    assert all(event["turn"] == frames[-1]["turn"] for event in events)
    return told(GAME, events)


@pytest.mark.parametrize(
    ("before", "after", "events"),
    [
        (
            frame(1, row("RGGGBBBB"), picks=0),
            frame(2, row("RRRRRBBB"), taken=9),
            [
                "Ann turns over 4 panels, the most so far.",
                "Bob loses the last of its panels.",
            ],
        ),
        (
            frame(1),
            frame(2, chance=True),
            ["Attack Chance: who takes this panel also makes one empty."],
        ),
        (frame(1, chance=True), frame(2, chance=True, picks=1), []),
        (
            frame(1, row("RRG"), picks=0),
            frame(2, row("RR.R"), taken=4, erased=3),
            ["Ann makes panel 3 of Bob empty again.", "Bob loses the last of its panels."],
        ),
        (
            frame(1, row("RRG"), picks=0),
            frame(2, row("RRG"), taken=4, erased=4),
            ["Ann makes panel 4, just taken, empty again."],
        ),
        (frame(1), frame(2, chips=[9, 0, 9, 9], picks=1), ["Bob has spent all its chips."]),
        (
            frame(1),
            frame(2, faults=[0, 0, 2, 0], picks=1),
            ["Cid gives an invalid answer: it counts as a bid of 0 (fault 2 of 3)."],
        ),
        (
            frame(1, picks=2),
            frame(2, faults=[0, 0, 1, 0]),
            ["Cid gives an invalid answer: the rules pick for it (fault 1 of 3)."],
        ),
    ],
)
def test_commentary(before: JsonObject, after: JsonObject, events: list[str]) -> None:
    assert events_of(before, after) == events


def test_a_capture_may_be_less_than_the_most_so_far() -> None:
    first, second = frame(1, row("WBBBB"), picks=2), frame(2, row("WWWWW"), taken=6, picks=2)
    third = frame(3, row("RRRRW"), taken=7)
    assert events_of(first, second, third)[0] == "Cid turns over 4 panels."


def test_a_lead_is_told_after_two_rounds() -> None:
    frames = [frame(turn, row("RW") if turn < 2 else row("RWR")) for turn in range(7)]
    assert [events_of(*frames[:count]) for count in (5, 6, 7)] == [[], ["Ann takes the lead with 2 panels."], []]


@pytest.mark.parametrize("mode", ["bid", "order"])
def test_a_match_has_events(mode: str) -> None:
    table: dict[str, Any] = {"seed": 3, "players": 4, "options": {"mode": mode}}
    _, records = replay_answers(GAME, random_answers(GAME, **table), **table)
    kinds = [event["kind"] for record in records for event in record.get("events", ())]
    assert {"lead", "capture_most", "chance", "erased"} <= set(kinds)
    assert (kinds.count("chance"), kinds.count("erased")) == (1, 1)
