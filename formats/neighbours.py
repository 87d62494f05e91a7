"""Swiss rounds by neighbours: for larger tables, and where the rules of the Dutch system allow no pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

NEAR = 24
"""Two entrants are exchanged only if they stand at most so many places apart: others differ too much in points."""

Met = Mapping[tuple[int, int], int]
"""How often two have met, by their seed numbers in ascending order; a pair that has never met may be missing."""


def times_met(pairings: Iterable[Sequence[int]]) -> Counter[tuple[int, int]]:
    """Return how often each two have met in some pairings, by their seed numbers in ascending order."""
    return Counter(pair for pairing in pairings for pair in combinations(sorted(pairing), 2))


def neighbours_pairings(
    *, ordered: Sequence[int], points: Mapping[int, float], met: Met, byes: Mapping[int, int], sizes: Sequence[int]
) -> list[list[int]]:
    """Return the pairings of a Swiss round, first that of the leaders; one alone has a bye.

    Entrants sit together in the order of their points. Where whole pairings have equal points, each takes one from each
    part of them, as in the Dutch system. Then two are exchanged as long as this makes repeated meetings fewer, or
    leaves their number and brings those in a pairing nearer together in points.

    Args:
        ordered: seed numbers of those who play, most points first, of equals the better seed first.
        points: the points of each so far.
        met: how often two have met.
        byes: how many byes each has had.
        sizes: the sizes that pairings may have; the largest one is the usual.
    """
    counts, alone = _sizes(len(ordered), sizes)
    resting = sorted(ordered, key=lambda each: (byes[each], -ordered.index(each)))[:alone]
    playing = [each for each in ordered if each not in resting]
    pairings, start = [], 0
    for size in counts:
        pairings.append(playing[start : start + size])
        start += size
    _deal_equals(pairings, points)
    _exchange(pairings, points, met)
    return [sorted(pairing, key=ordered.index) for pairing in pairings] + [
        [each] for each in ordered if each in resting
    ]


def _sizes(players: int, sizes: Sequence[int]) -> tuple[list[int], int]:
    """Return sizes of pairings, largest first, and how many players have byes.

    There are as few byes as possible, and then as few pairings.
    """
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


def _deal_equals(pairings: list[list[int]], points: Mapping[int, float]) -> None:
    """Distribute anew, in place, the entrants of neighbouring pairings in which all have equal points.

    In their order, one goes to each of these pairings, then a second one to each, and so on.
    """
    start = 0
    while start < len(pairings):
        end = start + 1
        while (
            end < len(pairings)
            and len({points[each] for pairing in pairings[start : end + 1] for each in pairing}) == 1
        ):
            end += 1
        run = pairings[start:end]
        entrants = iter([each for pairing in run for each in pairing])
        sizes = [len(pairing) for pairing in run]
        for pairing in run:
            pairing.clear()
        for seat in range(max(sizes)):
            for pairing, size in zip(run, sizes, strict=True):
                if seat < size:
                    pairing.append(next(entrants))
        start = end


def _exchange(pairings: list[list[int]], points: Mapping[int, float], met: Met) -> None:
    """Exchange two entrants of different pairings, in place, as long as that lowers the sum of both pairings' costs."""
    better = True
    while better:
        better = False
        places = [(number, seat) for number, pairing in enumerate(pairings) for seat in range(len(pairing))]
        for index, (number, seat) in enumerate(places):
            for other, chair in places[index + 1 : index + 1 + NEAR]:
                if number == other:
                    continue
                one, two = pairings[number], pairings[other]
                before = _cost(one, points, met), _cost(two, points, met)
                one[seat], two[chair] = two[chair], one[seat]
                after = _cost(one, points, met), _cost(two, points, met)
                if _sum(*after) < _sum(*before):
                    better = True
                else:
                    one[seat], two[chair] = two[chair], one[seat]


def _cost(pairing: Sequence[int], points: Mapping[int, float], met: Met) -> tuple[int, float]:
    """Return the repeated meetings in a pairing, and the sum of the squared differences in points."""
    repeats, spread = 0, 0.0
    for one, two in combinations(pairing, 2):
        repeats += met.get((one, two) if one < two else (two, one), 0)
        spread += (points[one] - points[two]) ** 2
    return repeats, spread


def _sum(one: tuple[int, float], two: tuple[int, float]) -> tuple[int, float]:
    # Rounded, since sums of thirds in another order differ in their last digit and would be exchanged for ever.
    return one[0] + two[0], round(one[1] + two[1], 6)
