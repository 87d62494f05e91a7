"""Helpers for the commentary of games."""

from __future__ import annotations

import pytest

from core.commentary import event, lead_changed, lead_taken, leader


@pytest.mark.parametrize(
    ("leads", "told"),
    [
        ("A", []),
        ("AA", [(1, 0)]),
        ("AAAAA", [(1, 0)]),
        ("ABABAB", []),
        ("-AA-AAA", [(2, 0)]),
        ("AABAA", [(1, 0)]),
        ("AABBAA", [(1, 0), (3, 1), (5, 0)]),
        ("AAB-BBA", [(1, 0), (5, 1)]),
    ],
)
def test_a_lead_is_told_once_it_has_lasted(leads: str, told: list[tuple[int, int]]) -> None:
    """In the second turn in a row; ``-`` is a turn in which both seats have as many points."""
    frames = [{"points": {"A": [1, 0], "B": [0, 1], "-": [1, 1]}[lead]} for lead in leads]
    found = [lead_taken(frames[:turn], lambda frame: list(frame["points"]), 2) for turn in range(1, len(frames) + 1)]
    assert [(turn, seat) for turn, seat in enumerate(found) if seat is not None] == told


@pytest.mark.parametrize(("points", "seat"), [([3, 1], 0), ([1, 5, 5], None), ([0, 0, 1], 2), ([7], 0)])
def test_only_a_seat_alone_leads(points: list[int], seat: int | None) -> None:
    assert leader(points) == seat


@pytest.mark.parametrize(
    ("before", "after", "seat"),
    [([2, 1], [2, 3], 1), ([2, 1], [4, 3], None), ([1, 1], [2, 1], 0), ([2, 1], [2, 2], None), ([0, 0], [0, 0], None)],
)
def test_a_change_of_the_lead_names_the_new_leader(before: list[int], after: list[int], seat: int | None) -> None:
    assert lead_changed(before, after) == seat


def test_an_event_belongs_to_the_turn_of_its_frame() -> None:
    frame = {"turn": 4, "points": [1, 0]}
    assert event(frame, "enclosed", 1, cells=3) == {"turn": 4, "kind": "enclosed", "seat": 1, "args": {"cells": 3}}
    assert event(frame, "storm", None) == {"turn": 4, "kind": "storm", "seat": None, "args": {}}
    assert event(frame, "named", 0, frame=2, kind="x", seat="A")["args"] == {"frame": 2, "kind": "x", "seat": "A"}
