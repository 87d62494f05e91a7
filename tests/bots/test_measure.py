"""Who meets whom when house bots are measured, and what is told of it."""

from __future__ import annotations

from collections import Counter

from bots.measure import report, round_robin, tables
from core.local import local_bot


def test_two_at_a_table_are_all_pairs_from_both_seats() -> None:
    assert sorted(tables(3, 2)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]


def test_everybody_sits_on_every_seat_equally_often() -> None:
    seatings = tables(5, 4)
    assert len(set(seatings)) == 5 * 4
    assert set(Counter((seat, bot) for table in seatings for seat, bot in enumerate(table)).values()) == {4}


def test_faults_are_told() -> None:
    results = round_robin("kakomimasu", ["false", "true"], local_bot, seeds=2, seconds=60)
    assert [result.table for result in results] == 2 * [(0, 1), (1, 0)]
    matches_and_faults = [line.split("|")[3:5] for line in report(["a", "b"], results)[2:]]
    assert matches_and_faults == [[" 4 ", " 4 "]] * 2


def test_no_further_board_is_begun_when_time_is_up() -> None:
    assert len(round_robin("kakomimasu", ["false", "false"], local_bot, seeds=9, seconds=0)) == 2
