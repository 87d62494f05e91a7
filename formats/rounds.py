"""Makes the next round of a tournament from entrants and results: one pure function."""

from __future__ import annotations

from collections.abc import Sequence

from formats.knockout import WINNERS, double_tables, first_round, single_tables
from formats.model import Decided, Draw, Entrant, Format, Stage, Table
from formats.roundrobin import round_robin_tables
from formats.seeding import knockout_seeded
from formats.standings import stage_entrants
from formats.swiss import swiss_tables


def next_round(
    *,
    stages: Sequence[Stage],
    entrants: Sequence[Entrant],
    decided: Sequence[Decided],
    lots: int,
    sizes: Sequence[int],
) -> Draw | None:
    """Return the next round, or None when the last stage has been played.

    Equal arguments give equal rounds, on any machine; the orders of ``entrants``, ``decided`` and ``sizes`` do not
    matter. Entrants who have left are drawn in round robins and knockouts, where ``tables.table_decide`` lets them
    lose, and are not drawn in a Swiss.

    Args:
        stages: the tournament's stages, without faults (``stages.stages_faults``).
        entrants: all, with seed numbers 1 .. n.
        decided: all tables of all rounds so far; every table of the last round is among them.
        lots: a secret number that decides by lot where the format leaves something open (the first seats).
        sizes: the table sizes that the contest's rules allow (``core.variants.table_sizes``), for the smaller tables
            of a field that does not fill larger ones.
    """
    decided = sorted(decided, key=lambda each: (each.table.stage, each.table.round, each.table.number))
    stage, round_ = (decided[-1].table.stage, decided[-1].table.round + 1) if decided else (0, 1)
    while stage < len(stages):
        members = stage_entrants(stages=stages, stage=stage, entrants=entrants, decided=decided)
        tables = _tables(stages, stage, round_, members, entrants, decided, lots, sizes)
        if tables:
            return Draw(stage, round_, tuple(tables))
        stage, round_ = stage + 1, 1
    return None


def _tables(
    stages: Sequence[Stage],
    index: int,
    round_: int,
    members: Sequence[int],
    entrants: Sequence[Entrant],
    decided: Sequence[Decided],
    lots: int,
    sizes: Sequence[int],
) -> list[Table]:
    """Return the tables of a round; none if the stage has been played."""
    stage = stages[index]
    earlier = [each for each in decided if each.table.stage == index]
    if stage.format is Format.ROUND_ROBIN:
        return round_robin_tables(stage=stage, index=index, round_=round_, members=members)
    if stage.format is Format.SWISS:
        here = {entrant.number for entrant in entrants if entrant.plays(index, round_)}
        playing = [number for number in members if number in here]
        if round_ > stage.rounds or not playing:
            return []
        return swiss_tables(
            stage=stage,
            index=index,
            round_=round_,
            members=members,
            playing=playing,
            decided=earlier,
            lots=lots,
            sizes=sizes,
        )
    is_double = stage.format is Format.DOUBLE_ELIMINATION
    if round_ == 1:
        seeded = knockout_seeded(
            stages=stages, index=index, members=members, entrants=entrants, decided=decided, sizes=sizes
        )
        return first_round(index=index, seeded=seeded, group=WINNERS if is_double else "")
    known = {(each.table.round, each.table.number): each for each in earlier}
    if is_double:
        return double_tables(index=index, round_=round_, known=known, members=len(members))
    return single_tables(stage=stage, index=index, round_=round_, known=known)
