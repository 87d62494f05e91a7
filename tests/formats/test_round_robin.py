"""Round robins: the published Berger tables, and that everybody meets everybody."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from formats.model import Format, Stage
from formats.roundrobin import round_robin_pairings, round_robin_rounds, schedule

FOUR = "1-4 2-3, 4-3 1-2, 2-4 3-1"
SIX = "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1"
EIGHT = (
    "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4, "
    "4-8 5-3 6-2 7-1"
)
"""The pairings of the FIDE Handbook, C.05, Annex 1."""


@pytest.mark.parametrize("published", [FOUR, SIX, EIGHT])
def test_the_schedule_is_the_published_berger_pairing(published: str) -> None:
    rounds = [
        tuple(tuple(int(number) - 1 for number in pair.split("-")) for pair in each.split())
        for each in published.split(", ")
    ]
    size = len(rounds[0]) * 2
    assert list(schedule(size, 2)) == rounds
    # In an odd field, the opponent of the last number rests.
    odd = [tuple(pair for pair in each if size - 1 not in pair) for each in rounds]
    assert list(schedule(size - 1, 2)) == odd


@pytest.mark.parametrize(
    ("size", "table_size"),
    [*((size, 2) for size in range(2, 40)), *((size, 3) for size in range(3, 17)), *((n, 4) for n in range(4, 14))],
)
def test_each_combination_meets_once_in_rounds_of_disjoint_pairings(size: int, table_size: int) -> None:
    rounds = schedule(size, table_size)
    met = Counter(tuple(sorted(meeting)) for each in rounds for meeting in each)
    assert met == Counter(combinations(range(size), table_size))
    for meetings in rounds:
        playing = [position for meeting in meetings for position in meeting]
        assert len(playing) == len(set(playing))


def test_the_second_cycle_turns_the_seats() -> None:
    stage = Stage(Format.ROUND_ROBIN, cycles=2)
    rounds = [
        [
            pairing.entrants
            for pairing in round_robin_pairings(stage=stage, index=0, round_=number, members=[1, 2, 3, 4])
        ]
        for number in range(1, round_robin_rounds(stage, 4) + 1)
    ]
    assert rounds[3:] == [[pair[::-1] for pair in each] for each in rounds[:3]]
    assert not round_robin_pairings(stage=stage, index=0, round_=7, members=[1, 2, 3, 4])
