"""The judge: peculiarities of the contest, and wrong questions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.wondev_woman.judge import judge

INIT: dict[str, Any] = {"cmd": "init", "seed": 0, "mapIndex": -1, "symmetric": False, "version": 3}


LEGAL: dict[str, Any] = {
    "cmd": "legal",
    "version": 3,
    "rows": ["00000", "00000", "00000", "00000", "00004"],
    "units": [[2, 2], [0, 0], [2, 1], [0, 4]],
    "scores": [3, 5],
    "dead": [0, 0],
    "player": 0,
}


APPLY: dict[str, Any] = LEGAL | {"cmd": "apply", "action": "MOVE&BUILD 0 S N"}


def apply(action: str, **changes: Any) -> dict[str, Any]:
    return judge(APPLY | {"action": action} | changes)


def test_answers_are_plain_json() -> None:
    for request in (INIT, LEGAL, APPLY, APPLY | {"action": "?"}):
        answer = judge(request)
        assert json.loads(json.dumps(answer)) == answer


def test_fields_have_defaults() -> None:
    assert judge({"cmd": "init", "seed": 0}) == judge(INIT)
    short = {key: value for key, value in LEGAL.items() if key not in ("version", "scores", "dead")}
    assert judge(short) == judge(LEGAL)


def test_capitals_matter_for_pushes_only() -> None:
    assert apply("move&build 0 s n")["ok"]
    assert apply("PUSH&BUILD 0 n N")["ok"]
    assert apply("Push&BUILD 0 N N")["code"] == "InvalidCommand"
    assert apply("push&build 7 N N")["code"] == "InvalidInput"


@pytest.mark.parametrize(
    ("heights", "code"),
    [("2", "InvalidMove"), ("4", "InvalidMove"), ("1", None)],
)
def test_a_steep_cell_is_named_before_one_out_of_play(heights: str, code: str | None) -> None:
    answer = apply("MOVE&BUILD 0 E S", rows=["00000", "00000", f"000{heights}0", "00000", "00000"])
    assert answer.get("code") == code


def test_a_cell_that_is_too_high_to_build_on_is_named() -> None:
    high = ["00000", "00000", "00340", "00000", "00000"]
    assert apply("MOVE&BUILD 0 S NE", rows=high)["code"] == "PlaceTooHigh"


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("", None),
        (" ", None),
        (" hi ", "hi "),
        (" \t\f three ", "three "),
        (" " + "x" * 48, "x" * 48),
        (" " + "x" * 49, "x" * 46 + "..."),
        (" " + "😀" * 24, "😀" * 24),
        (" " + "😀" * 25, "😀" * 23 + "..."),
    ],
)
def test_messages_are_cut_as_java_counts(message: str, shown: str | None) -> None:
    assert apply("MOVE&BUILD 0 S N" + message)["message"] == shown
    assert apply("ACCEPT-DEFEAT" + message)["message"] == shown


REQUESTS = [INIT, LEGAL, APPLY]

REFUSED: list[tuple[dict[str, Any], str]] = [
    ({}, "cmd"),
    (INIT | {"seed": 2**63}, "seed"),
    (INIT | {"version": 4}, "version"),
    (INIT | {"colour": 1}, "colour"),
    (LEGAL | {"player": 2}, "player"),
    (LEGAL | {"rows": ["0" * 8] * 8}, "rows"),
    (LEGAL | {"rows": ["00500", *["00000"] * 4]}, "rows"),
    (LEGAL | {"units": [[2, 2], [0, 0]]}, "units"),
    (LEGAL | {"units": [[2, 2], [0, 0], [2, 2], [0, 4]]}, "units"),
    (LEGAL | {"units": [[2, 2], [0, 0], [2, 1], [4, 4]]}, "units"),
    (LEGAL | {"units": [[2, 2], [0, 0], [2, 1], [-1, -1]]}, "units"),
    (LEGAL | {"scores": [0, 10**9]}, "scores"),
    (LEGAL | {"dead": [0, 2]}, "dead"),
    (LEGAL | {"action": "ACCEPT-DEFEAT"}, "action"),
]
"""Requests, and what the sentence of each refusal names."""
