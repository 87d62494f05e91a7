"""Checks a tournament's stages, and says who plays in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb

from core.message import Message
from formats.knockout import bracket_rounds, double_rounds, first_pairings
from formats.model import DUEL, KNOCKOUTS, TABLE_MAX, Format, Stage
from formats.roundrobin import round_robin_rounds

ENTRANTS_MAX = 512
"""Most entrants of a tournament."""
STAGES_MAX = 8
"""Most stages of a tournament."""
ROUNDS_MAX = 50
"""Most rounds of a Swiss."""
COMBINATIONS_MAX = 2_500
"""Most pairings in one cycle of a group of a round robin at larger tables."""
GROUPS_MAX = ENTRANTS_MAX // DUEL
"""Most groups of a round robin."""
BEST_OF_MAX = 99
"""Most encounters of a pairing, and most extra ones."""
MATCHES_MAX = 100_000
"""Most matches that a tournament may need, counted as if every pairing took all its ``best_of`` encounters."""


def stages_faults(*, stages: Sequence[Stage], sizes: Sequence[int], entrants: int | None = None) -> list[Message]:
    """Return what is wrong with a tournament's stages, one sentence each; empty if it can be played.

    Args:
        stages: the stages.
        sizes: the table sizes that the contest's rules allow (``core.variants.table_sizes``).
        entrants: how many there are; None: not known yet, so nothing that depends on it is checked.
    """
    if not 1 <= len(stages) <= STAGES_MAX:
        return [_fault("tournament-fault-stages", count=len(stages), most=STAGES_MAX)]
    faults = [
        fault
        for number, stage in enumerate(stages, 1)
        for fault in _stage_faults(stage, number, sizes, is_last=number == len(stages))
    ]
    if entrants is None or faults:
        return faults
    if not DUEL <= entrants <= ENTRANTS_MAX:
        return [_fault("tournament-fault-entrants", count=entrants, least=DUEL, most=ENTRANTS_MAX)]
    total = 0
    members = entrants
    for number, stage in enumerate(stages, 1):
        faults += _field_faults(stage, number, sizes, members)
        total += matches_most(stage=stage, entrants=members)
        members = stage.goes_on
    if total > MATCHES_MAX:
        faults.append(_fault("tournament-fault-matches", count=total, most=MATCHES_MAX))
    return faults


def rounds_count(*, stage: Stage, entrants: int) -> int:
    """Return how many rounds a stage will have with so many entrants (double elimination: at most)."""
    match stage.format:
        case Format.ROUND_ROBIN:
            return round_robin_rounds(stage, entrants)
        case Format.SWISS:
            return stage.rounds
        case Format.SINGLE_ELIMINATION:
            return bracket_rounds(entrants, stage.table_size)
        case Format.DOUBLE_ELIMINATION:
            return double_rounds(entrants)


def matches_most(*, stage: Stage, entrants: int) -> int:
    """Return how many matches a stage has if each pairing takes all its ``best_of`` encounters, none more."""
    size = stage.table_size
    match stage.format:
        case Format.ROUND_ROBIN:
            small, rest = divmod(entrants, stage.groups)
            pairings = stage.cycles * (rest * comb(small + 1, size) + (stage.groups - rest) * comb(small, size))
        case Format.SWISS:
            pairings = stage.rounds * -(-entrants // size)
        case Format.SINGLE_ELIMINATION:
            # Each table of two puts one out; larger ones put out more, but the first round may have smaller ones.
            pairings = entrants - 1 + stage.third_place
        case Format.DOUBLE_ELIMINATION:
            pairings = 2 * entrants - 1
    return pairings * stage.best_of * size


def _stage_faults(stage: Stage, number: int, sizes: Sequence[int], *, is_last: bool) -> Iterator[Message]:
    """Yield the faults that do not depend on the number of entrants."""
    if stage.table_size not in sizes or not DUEL <= stage.table_size <= TABLE_MAX:
        usable = ", ".join(str(size) for size in sorted(sizes) if DUEL <= size <= TABLE_MAX)
        yield _fault("tournament-fault-table-size", stage=number, size=stage.table_size, sizes=usable)
    if stage.format is Format.DOUBLE_ELIMINATION and stage.table_size != DUEL:
        yield _fault("tournament-fault-double-size", stage=number, size=stage.table_size)
    if stage.third_place and (stage.format is not Format.SINGLE_ELIMINATION or stage.table_size != DUEL):
        yield _fault("tournament-fault-third-place", stage=number)
    limits = [("best-of", stage.best_of, 1, BEST_OF_MAX), ("extra", stage.extra_max, 0, BEST_OF_MAX)]
    if stage.format is Format.SWISS:
        limits.append(("rounds", stage.rounds, 1, ROUNDS_MAX))
    if stage.format is Format.ROUND_ROBIN:
        limits += [("groups", stage.groups, 1, GROUPS_MAX), ("cycles", stage.cycles, 1, BEST_OF_MAX)]
    yield from (
        _fault("tournament-fault-limit", stage=number, what=what, value=value, least=least, most=most)
        for what, value, least, most in limits
        if not least <= value <= most
    )
    if is_last and stage.goes_on:
        yield _fault("tournament-fault-last-goes-on", stage=number, count=stage.goes_on)
    if not is_last and stage.goes_on < DUEL:
        yield _fault("tournament-fault-goes-on-few", stage=number, count=stage.goes_on)


def _field_faults(stage: Stage, number: int, sizes: Sequence[int], members: int) -> Iterator[Message]:
    """Yield the faults of a stage with so many entrants."""
    if stage.goes_on > members:
        yield _fault("tournament-fault-goes-on-many", stage=number, count=stage.goes_on, members=members)
    if members < stage.table_size:
        yield _fault("tournament-fault-few", stage=number, members=members, size=stage.table_size)
    elif stage.format is Format.ROUND_ROBIN and members // stage.groups < stage.table_size:
        yield _fault(
            "tournament-fault-groups-small", stage=number, members=members, groups=stage.groups, size=stage.table_size
        )
    elif stage.format is Format.ROUND_ROBIN and stage.table_size > DUEL:
        pairings = comb(-(-members // stage.groups), stage.table_size)
        if pairings > COMBINATIONS_MAX:
            yield _fault(
                "tournament-fault-combinations",
                stage=number,
                size=stage.table_size,
                count=pairings,
                most=COMBINATIONS_MAX,
            )
    elif stage.format is Format.SWISS and stage.rounds >= members:
        yield _fault("tournament-fault-swiss-rounds", stage=number, rounds=stage.rounds, members=members)
    elif stage.format in KNOCKOUTS:
        yield from _bracket_faults(stage, number, sizes, members)


def _bracket_faults(stage: Stage, number: int, sizes: Sequence[int], members: int) -> Iterator[Message]:
    """Yield a fault if no sizes of tables make a bracket; it names numbers of entrants that do."""

    def works(count: int) -> bool:
        return first_pairings(entrants=count, table_size=stage.table_size, sizes=sizes) is not None

    if not works(members):
        fewer = next((count for count in range(members - 1, 1, -1) if works(count)), 0)
        more = next(count for count in range(members + 1, ENTRANTS_MAX * TABLE_MAX) if works(count))
        yield _fault(
            "tournament-fault-bracket", stage=number, members=members, size=stage.table_size, fewer=fewer, more=more
        )


def _fault(kind: str, **args: int | str) -> Message:
    return Message(kind, args)
