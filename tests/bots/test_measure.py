"""Who meets whom when house bots are measured."""

from __future__ import annotations

from collections import Counter

import pytest

from bots.measure import faultless, tables


def test_two_at_a_table_are_all_pairs_from_both_seats() -> None:
    assert sorted(tables(3, 2)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_everybody_sits_on_every_seat_equally_often() -> None:
    seatings = tables(5, 4)
    assert len(set(seatings)) == 5 * 4
    assert set(Counter((seat, bot) for table in seatings for seat, bot in enumerate(table)).values()) == {4}


def test_a_fault_is_no_result() -> None:
    with pytest.raises(RuntimeError, match="crashed"):
        faultless("kakomimasu", ["false", "false"], seed=1)
