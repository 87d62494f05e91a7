"""Round robins: Berger tables for tables of two, all combinations for larger ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from core.message import Message
from formats.model import DUEL, Pairing, Stage
from formats.standings import groups_of

Meetings = tuple[tuple[int, ...], ...]
"""Who meets in a round: positions in the group, from 0."""


@lru_cache(maxsize=64)
def schedule(size: int, table_size: int) -> tuple[Meetings, ...]:
    """Return the rounds of one cycle of a group of ``size`` entrants at tables of ``table_size``.

    Nobody plays twice in a round.
    """
    return tuple(_berger(size) if table_size == DUEL else _combined(size, table_size))


def round_robin_rounds(stage: Stage, members: int) -> int:
    """Return how many rounds a stage with so many members has: as many as its largest group, in all cycles."""
    return stage.cycles * len(schedule(-(-members // stage.groups), stage.table_size))


def round_robin_pairings(*, stage: Stage, index: int, round_: int, members: Sequence[int]) -> list[Pairing]:
    """Return the pairings of a round, counted from 1; [] if the stage is over.

    ``index`` is the stage's number in the tournament, from 0; ``members`` are the seed numbers of those that play the
    stage, the strongest first. Groups that have played all their meetings have no pairings.
    """
    pairings: list[Pairing] = []
    for name, group in groups_of(stage=stage, numbers=members).items():
        rounds = schedule(len(group), stage.table_size)
        cycle, number = divmod(round_ - 1, len(rounds) or 1)
        if cycle >= stage.cycles or not rounds:
            continue
        for meeting in rounds[number]:
            turns = cycle % len(meeting)
            seats = tuple(group[position] for position in (*meeting[turns:], *meeting[:turns]))
            why = _why(stage, number + 1, len(rounds), cycle + 1, len(group))
            pairings.append(Pairing(index, round_, len(pairings) + 1, seats, group=name, why=why))
    return pairings


def _why(stage: Stage, number: int, rounds: int, cycle: int, members: int) -> Message:
    kind = "tournament-why-berger" if stage.table_size == DUEL else "tournament-why-combination"
    args = {"round": number, "rounds": rounds, "cycle": cycle, "cycles": stage.cycles, "members": members}
    return Message(kind, args if stage.table_size == DUEL else {**args, "size": stage.table_size})


def _berger(size: int) -> Iterator[Meetings]:
    """Yield the rounds of the Berger tables (FIDE Handbook C.05, Annex 1).

    In a field of odd size there is one place more, the last, that nobody has: who would meet it rests.

    In round 1 the first meets the last, the second the last but one, and so on. From round to round everybody but the
    last place moves on by half the field, and the last place changes its seat.
    """
    last = size - 1 + size % 2
    for number in range(last):
        first = number * (last + 1) // 2 % last
        pairs = [(first, last) if number % 2 == 0 else (last, first)]
        pairs += [((first + step) % last, (first - step) % last) for step in range(1, (last + 1) // 2)]
        yield tuple(pair for pair in pairs if max(pair) < size)


def _combined(size: int, table_size: int) -> Iterator[Meetings]:
    """Yield rounds of disjoint pairings until each combination has met; who has met the fewest is seated first."""
    left = dict.fromkeys(combinations(range(size), table_size))
    met = [0] * size
    while left:
        free = set(range(size))
        meetings: list[tuple[int, ...]] = []
        for meeting in sorted(left, key=lambda each: (sum(met[position] for position in each), each)):
            if free.issuperset(meeting):
                free.difference_update(meeting)
                meetings.append(meeting)
        for meeting in meetings:
            del left[meeting]
            for position in meeting:
                met[position] += 1
        yield tuple(sorted(meetings))
