"""Single and double elimination: brackets from results.

A bracket is fixed by its first round: the winners of pairings 3 and 4 of a round meet in pairing 2 of the next.
Entrants without opponents are drawn alone in their pairing (a bye), so that these numbers hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, pairwise
from typing import Any, NamedTuple

from core.message import Message
from formats.model import DUEL, Decided, Pairing, Stage

FINAL, LOSERS, RESET, THIRD, WINNERS = "final", "losers", "reset", "third", "winners"
"""Values of ``Pairing.group``."""
REASONS = {FINAL: "tournament-why-final", RESET: "tournament-why-reset", THIRD: "tournament-why-third"}
"""Kinds of the messages that say why two meet, for the pairings of these groups."""


Known = Mapping[tuple[int, int], Decided]
"""Decided pairings of the stage by round and number."""


def first_pairings(*, entrants: int, table_size: int, sizes: Sequence[int]) -> list[list[int]] | None:
    """Return the pairings of the first round of a bracket in their order, as seeds from 1; None if there is no bracket.

    After the first round as many are left as fill all later pairings: a power of ``table_size``. Pairings of the first
    round are as equal in size as possible, with as few byes as possible; the best seeds have the byes and the smaller
    pairings, then the weakest opponents. Seeds 1 .. ``table_size`` can meet in the final only, and so on.

    Args:
        entrants: how many there are.
        table_size: how many meet in a pairing.
        sizes: the sizes that pairings may have; larger ones than ``table_size`` are not used.
    """
    pairings = 1
    while pairings * table_size < entrants:
        pairings *= table_size
    chosen = _first_sizes(entrants, pairings, [size for size in sizes if size < table_size] + [table_size])
    if entrants < DUEL or chosen is None:
        return None
    members = {head: [head] for head in range(1, pairings + 1)}
    seed = pairings
    for row in range(1, table_size):
        for head in range(pairings, 0, -1):
            if chosen[head - 1] > row:
                seed += 1
                members[head].append(seed)
    return [members[head] for head in _spread(pairings, table_size)]


def _first_sizes(entrants: int, pairings: int, sizes: Sequence[int]) -> tuple[int, ...] | None:
    """Return the size of each pairing of the first round, ascending; 1 is a bye; None if no sizes give the sum."""
    small, rest = divmod(entrants, pairings)
    equal = (small,) * (pairings - rest) + (small + 1,) * rest
    if all(size == 1 or size in sizes for size in equal):
        return equal
    kinds = sorted({1, *sizes})
    found = [
        counts
        for counts in _counts(kinds, pairings)
        if sum(count * kind for count, kind in zip(counts, kinds, strict=True)) == entrants
    ]
    if not found:
        return None
    best = min(found, key=lambda counts: (counts[0], sum(n * kind**2 for n, kind in zip(counts, kinds, strict=True))))
    return tuple(kind for kind, count in zip(kinds, best, strict=True) for _ in range(count))


def _counts(kinds: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to choose ``total`` things of some kinds, as one count for each kind."""
    for cuts in combinations_with_replacement(range(total + 1), len(kinds) - 1):
        ends = (0, *cuts, total)
        yield tuple(end - start for start, end in pairwise(ends))


def _spread(pairings: int, table_size: int) -> list[int]:
    """Return the best seed of each pairing of a round, so that the best meet as late as possible."""
    order = [1]
    while len(order) < pairings:
        count = len(order)
        order = [
            seed for head in order for seed in (head, *((row + 1) * count + 1 - head for row in range(1, table_size)))
        ]
    return order


def bracket_rounds(entrants: int, table_size: int = DUEL) -> int:
    """Return how many rounds a bracket has: how often the field is divided by ``table_size`` until one is left."""
    rounds, left = 0, 1
    while left < entrants:
        rounds, left = rounds + 1, left * table_size
    return rounds


def double_rounds(members: int) -> int:
    """Return how many rounds double elimination has at most; 0 for fewer than two members.

    The last round, the reset, is played only if who comes from the losers' bracket wins the final.

    The winners' bracket plays in round 1 and in all even ones, the losers' bracket from round 2 on, the final follows.
    """
    return 2 * bracket_rounds(members) + 1 if members >= DUEL else 0


def first_round(*, index: int, seeded: Sequence[Sequence[int]], group: str = "") -> list[Pairing]:
    """Return the first round of the stage with number ``index``, from 0.

    ``seeded`` has the seed numbers in each pairing (one alone has a bye); ``group`` is the group of all pairings.
    """
    pairings = []
    for number, members in enumerate(seeded, 1):
        why = Message("tournament-why-seeding" if len(members) > 1 else "tournament-why-bye-seed")
        pairings.append(Pairing(index, 1, number, tuple(members), group=group, sources=(None,) * len(members), why=why))
    return pairings


def single_pairings(*, stage: Stage, index: int, round_: int, known: Known) -> list[Pairing]:
    """Return a round from 2 on of single elimination; [] if the stage is over.

    ``index`` is the stage's number in the tournament, from 0; ``known`` has the pairings of the round before.
    """
    before = _of_round(known, round_ - 1)
    if len(before) < DUEL or before[-1].pairing.group == THIRD:
        return []
    size = stage.table_size
    pairings = [
        _pairing(index, round_, number, [_winner(each) for each in before[start : start + size]])
        for number, start in enumerate(range(0, len(before), size), 1)
    ]
    if stage.third_place and size == DUEL and len(before) == DUEL:
        losers = [_loser(each) for each in before if len(each.pairing.entrants) == DUEL]
        if len(losers) == DUEL:
            pairings.append(_pairing(index, round_, len(pairings) + 1, losers, group=THIRD))
    return pairings


def double_pairings(*, index: int, round_: int, known: Known, members: int) -> list[Pairing]:
    """Return a round from 2 on of double elimination; [] if the stage is over.

    ``index`` is the stage's number in the tournament, from 0; ``known`` has the pairings of all earlier rounds;
    ``members`` is how many entrants the stage has.
    """
    levels = bracket_rounds(members)
    if round_ == 2 * levels:
        winner = _winner(known[max(1, round_ - 2), 1])
        last = known[round_ - 1, 1]
        return [_pairing(index, round_, 1, [winner, _loser(last) if levels == 1 else _winner(last)], group=FINAL)]
    if round_ > 2 * levels:
        final = known[2 * levels, 1]
        if round_ > 2 * levels + 1 or final.winner == final.pairing.entrants[0]:
            return []
        return [_pairing(index, round_, 1, [_Arrival(number, final) for number in final.pairing.entrants], group=RESET)]
    pairings: list[Pairing] = []
    if round_ % 2 == 0:
        before = _of_round(known, max(1, round_ - 2), WINNERS)
        for start in range(0, len(before), 2):
            pair = [_winner(each) for each in before[start : start + 2]]
            pairings.append(_pairing(index, round_, len(pairings) + 1, pair, group=WINNERS))
    for slot in _losers_slots(known, round_):
        if slot:
            pairings.append(_pairing(index, round_, len(pairings) + 1, slot, group=LOSERS))
    return pairings


class _Arrival(NamedTuple):
    """An entrant and the pairing that it comes from."""

    entrant: int
    origin: Decided

    @property
    def won(self) -> bool:
        return self.origin.winner == self.entrant


def _losers_slots(known: Known, round_: int) -> list[list[_Arrival]]:
    """Return who meets at each place of the losers' bracket in a round; places stay empty beside byes of round 1.

    In even rounds neighbours meet: the losers of round 1, later those who are left. In odd ones each meets a loser of
    the winners' bracket. Those come in reversed order, and the next time with their halves exchanged, so that nobody
    meets at once whom it has met in the winners' bracket.
    """
    if round_ == 2:
        lost = [[_loser(each)] if len(each.pairing.entrants) == DUEL else [] for each in _of_round(known, 1, WINNERS)]
        return [first + second for first, second in zip(lost[::2], lost[1::2], strict=True)]
    played = iter(_of_round(known, round_ - 1, LOSERS))
    left = [[_winner(next(played))] if slot else [] for slot in _losers_slots(known, round_ - 1)]
    if round_ % 2 == 0:
        return [first + second for first, second in zip(left[::2], left[1::2], strict=True)]
    fallen = [[_loser(each)] for each in _of_round(known, round_ - 1, WINNERS)]
    half = len(fallen) // 2
    fallen = fallen[::-1] if round_ % 4 == 3 else fallen[half:] + fallen[:half]
    return [first + second for first, second in zip(left, fallen, strict=True)]


def _of_round(known: Known, round_: int, group: str = "") -> list[Decided]:
    """Return the decided pairings of a round by number; those of a group alone if it is named."""
    return [
        known[key] for key in sorted(known) if key[0] == round_ and (not group or known[key].pairing.group == group)
    ]


def _winner(decided: Decided) -> _Arrival:
    return _Arrival(decided.winner, decided)


def _loser(decided: Decided) -> _Arrival:
    """Return who has lost at a table of two."""
    first, second = decided.pairing.entrants
    return _Arrival(second if decided.winner == first else first, decided)


def _pairing(index: int, round_: int, number: int, arrivals: Sequence[_Arrival], *, group: str = "") -> Pairing:
    """Return a pairing of those who come from earlier ones."""
    return Pairing(
        index,
        round_,
        number,
        tuple(each.entrant for each in arrivals),
        group=group,
        sources=tuple((each.origin.pairing.round, each.origin.pairing.number) for each in arrivals),
        why=_why(arrivals, group),
    )


def _why(arrivals: Sequence[_Arrival], group: str) -> Message:
    """Return the message that says why these entrants meet, or why one alone has a bye."""
    if group in REASONS:
        return Message(REASONS[group])
    if len(arrivals) == 1:
        return Message("tournament-why-bye-losers", _origin(arrivals[0]))
    if len(arrivals) > DUEL:
        pairings = ", ".join(str(each.origin.pairing.number) for each in arrivals)
        return Message("tournament-why-winners", {"tables": pairings, "round": arrivals[0].origin.pairing.round})
    first, second = map(_origin, arrivals)
    args = {
        f"{name}_{position}": value for position, each in (("a", first), ("b", second)) for name, value in each.items()
    }
    return Message("tournament-why-arrivals", args)


def _origin(arrival: _Arrival) -> dict[str, Any]:
    pairing = arrival.origin.pairing
    return {"how": "won" if arrival.won else "lost", "table": pairing.number, "round": pairing.round}
