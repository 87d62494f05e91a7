"""Seats the entrants of a stage in the first round of a bracket."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from formats.knockout import first_pairings
from formats.model import Decided, Entrant, Stage
from formats.standings import standings


def knockout_seeded(
    *,
    stages: Sequence[Stage],
    index: int,
    members: Sequence[int],
    entrants: Sequence[Entrant],
    decided: Sequence[Decided],
    sizes: Sequence[int],
) -> list[list[int]]:
    """Return the members of each pairing of a bracket's first round; [] if fewer than two are left.

    After groups, entrants of equal places are exchanged so that no two of one group meet in this round, if that is
    possible. ``index`` is the number of the stage, ``members`` are the seed numbers of those that play it, best first;
    the other arguments are those of ``rounds.next_round``.
    """
    pairings = first_pairings(entrants=len(members), table_size=stages[index].table_size, sizes=sizes)
    if pairings is None:
        return []
    seats = dict(enumerate(members, 1))
    if index and stages[index - 1].groups > 1:
        rows = {
            row.entrant: (row.place, row.group)
            for row in standings(stages=stages, stage=index - 1, entrants=entrants, decided=decided)
        }
        seats = _apart(pairings, seats, rows)
    return [[seats[seed] for seed in pairing] for pairing in pairings]


def _apart(
    pairings: Sequence[Sequence[int]], seats: dict[int, int], rows: dict[int, tuple[int, str]]
) -> dict[int, int]:
    """Return who has each seed after exchanges within equal places, so that groups meet themselves as little as can be.

    Place by place, from the first, each entrant gets the nearest seed in whose pairing nobody of its group sits already
    (a matching by augmenting paths, so that one is found if there is one). ``pairings`` has the seeds in each pairing,
    ``seats`` the entrant of each seed, ``rows`` the place and the group of each entrant.
    """
    pairing_of = {seed: number for number, pairing in enumerate(pairings) for seed in pairing}
    equals = defaultdict(list)
    for seed, entrant in seats.items():
        equals[rows[entrant][0]].append(seed)
    seated: dict[int, int] = {}
    groups: dict[int, set[str]] = defaultdict(set)
    for _, seeds in sorted(equals.items()):
        taken: dict[int, int] = {}

        def sit(own: int, tried: set[int], seeds: Sequence[int] = seeds, taken: dict[int, int] = taken) -> bool:
            group = rows[seats[own]][1]
            for seed in sorted(seeds, key=lambda each: (abs(each - own), each)):
                if seed in tried or group in groups[pairing_of[seed]]:
                    continue
                tried.add(seed)
                if seed not in taken or sit(taken[seed], tried):
                    taken[seed] = own
                    return True
            return False

        unseated = [own for own in seeds if not sit(own, set())]
        free = [seed for seed in seeds if seed not in taken]
        taken.update(zip(free, unseated, strict=True))
        for seed, own in taken.items():
            seated[seed] = seats[own]
            groups[pairing_of[seed]].add(rows[seats[own]][1])
    return seated
