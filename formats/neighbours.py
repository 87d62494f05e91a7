"""Swiss rounds by neighbours: for larger tables, and where the rules of the Dutch system allow no pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

NEAR = 24
"""Two entrants are exchanged only if they stand at most so far apart: farther ones differ too much in points."""

Met = Mapping[tuple[int, int], int]
"""How often two have met, by their numbers in ascending order."""


def times_met(tables: Iterable[Sequence[int]]) -> Counter[tuple[int, int]]:
    """Return how often each two have met at some tables."""
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


def neighbours_tables(
    *, ordered: Sequence[int], points: Mapping[int, float], met: Met, byes: Mapping[int, int], sizes: Sequence[int]
) -> list[list[int]]:
    """Return the tables of a Swiss round, first that of the leaders; one alone has a bye.

    Entrants sit together in the order of their points. Where whole tables have equal points, each takes one from each
    part of them, as in the Dutch system. Then two are exchanged as long as this makes repeated meetings fewer, or, with
    as many, brings those at a table nearer together in points.

    Args:
        ordered: who plays, by points, of equals the better seed first.
        points: of each.
        met: how often two have met.
        byes: how many byes each has had.
        sizes: the sizes that tables may have; the largest one is the usual.
    """
    counts, alone = _sizes(len(ordered), sizes)
    resting = sorted(ordered, key=lambda each: (byes[each], -ordered.index(each)))[:alone]
    playing = [each for each in ordered if each not in resting]
    tables, start = [], 0
    for size in counts:
        tables.append(playing[start : start + size])
        start += size
    _deal_equals(tables, points)
    _exchange(tables, points, met)
    return [sorted(table, key=ordered.index) for table in tables] + [[each] for each in ordered if each in resting]


def _sizes(players: int, sizes: Sequence[int]) -> tuple[list[int], int]:
    """Return the tables' sizes, largest first, and how many have byes: as few byes, then as few tables as possible."""
    fewest: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    for count in range(1, players + 1):
        byes, used = fewest[count - 1]
        choices = [(byes + 1, used)]
        for size in sizes:
            if size <= count:
                byes, used = fewest[count - size]
                choices.append((byes, tuple(sorted((*used, size), reverse=True))))
        fewest.append(min(choices, key=lambda each: (each[0], len(each[1]), -min(each[1], default=0), each[1])))
    byes, used = fewest[players]
    return list(used), byes


def _deal_equals(tables: list[list[int]], points: Mapping[int, float]) -> None:
    """Mix neighbouring tables whose entrants all have equal points: each table gets one from each part of them."""
    start = 0
    while start < len(tables):
        end = start + 1
        while end < len(tables) and len({points[each] for table in tables[start : end + 1] for each in table}) == 1:
            end += 1
        run = tables[start:end]
        entrants = iter([each for table in run for each in table])
        sizes = [len(table) for table in run]
        for table in run:
            table.clear()
        for seat in range(max(sizes)):
            for table, size in zip(run, sizes, strict=True):
                if seat < size:
                    table.append(next(entrants))
        start = end


def _exchange(tables: list[list[int]], points: Mapping[int, float], met: Met) -> None:
    """Exchange two entrants of different tables as long as the cost of both tables falls."""
    better = True
    while better:
        better = False
        places = [(number, seat) for number, table in enumerate(tables) for seat in range(len(table))]
        for index, (number, seat) in enumerate(places):
            for other, chair in places[index + 1 : index + 1 + NEAR]:
                if number == other:
                    continue
                one, two = tables[number], tables[other]
                before = _cost(one, points, met), _cost(two, points, met)
                one[seat], two[chair] = two[chair], one[seat]
                after = _cost(one, points, met), _cost(two, points, met)
                if _sum(*after) < _sum(*before):
                    better = True
                else:
                    one[seat], two[chair] = two[chair], one[seat]


def _cost(table: Sequence[int], points: Mapping[int, float], met: Met) -> tuple[int, float]:
    """Return the repeated meetings at a table, and the sum of the squared differences in points."""
    repeats, spread = 0, 0.0
    for one, two in combinations(table, 2):
        repeats += met.get((one, two) if one < two else (two, one), 0)
        spread += (points[one] - points[two]) ** 2
    return repeats, spread


def _sum(one: tuple[int, float], two: tuple[int, float]) -> tuple[int, float]:
    # Rounded, since sums of thirds in another order differ in their last digit and would be exchanged for ever.
    return one[0] + two[0], round(one[1] + two[1], 6)
