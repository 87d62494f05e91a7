"""Helpers for the commentary of games."""

from __future__ import annotations

import pytest

from core.commentary import lead_taken


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
