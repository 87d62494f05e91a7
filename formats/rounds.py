"""Makes the next round of a tournament from entrants and results: one pure function."""

from __future__ import annotations

from collections.abc import Sequence

from formats.knockout import WINNERS, double_pairings, first_round, single_pairings
from formats.model import Decided, Draw, Entrant, Format, Pairing, Stage
from formats.roundrobin import round_robin_pairings
from formats.seeding import knockout_seeded
from formats.standings import stage_entrants
from formats.swiss import swiss_pairings


def next_round(
    *, stages: Sequence[Stage], entrants: Sequence[Entrant], decided: Sequence[Decided], lots: int, sizes: Sequence[int]
) -> Draw | None:
    """Return the next round, or None when the last stage has been played.

    Equal arguments give equal rounds, on any machine; the orders of ``entrants``, ``decided`` and ``sizes`` do not
    matter. Entrants who have left are drawn in round robins and knockouts, where ``pairings.pairing_decide`` lets them
    lose, and are not drawn in a Swiss.

    Args:
        stages: the tournament's stages, without faults (``stages.stages_faults``).
        entrants: all, with seed numbers 1 .. n.
        decided: all pairings of all rounds so far; every pairing of the last round is among them.
        lots: a secret number that decides by lot where the format leaves something open (the first seats).
        sizes: the table sizes that the contest's rules allow (``core.variants.table_sizes``), for the smaller tables
            of a field that does not fill larger ones.
    """
    decided = sorted(decided, key=lambda each: (each.pairing.stage, each.pairing.round, each.pairing.number))
    stage, round_ = (decided[-1].pairing.stage, decided[-1].pairing.round + 1) if decided else (0, 1)
    while stage < len(stages):
        members = stage_entrants(stages=stages, stage=stage, entrants=entrants, decided=decided)
        pairings = _pairings(stages, stage, round_, members, entrants, decided, lots, sizes)
        if pairings:
            return Draw(stage, round_, tuple(pairings))
        stage, round_ = stage + 1, 1
    return None


def _pairings(
    stages: Sequence[Stage],
    index: int,
    round_: int,
    members: Sequence[int],
    entrants: Sequence[Entrant],
    decided: Sequence[Decided],
    lots: int,
    sizes: Sequence[int],
) -> list[Pairing]:
    """Return the pairings of a round; [] if the stage has been played.

    ``index`` is the number of the stage, ``members`` are the seed numbers of those that play it, best first; the other
    arguments are those of ``next_round``.
    """
    stage = stages[index]
    earlier = [each for each in decided if each.pairing.stage == index]
    if stage.format is Format.ROUND_ROBIN:
        return round_robin_pairings(stage=stage, index=index, round_=round_, members=members)
    if stage.format is Format.SWISS:
        here = {entrant.number for entrant in entrants if entrant.plays(index, round_)}
        playing = [number for number in members if number in here]
        if round_ > stage.rounds or not playing:
            return []
        return swiss_pairings(
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
    known = {(each.pairing.round, each.pairing.number): each for each in earlier}
    if is_double:
        return double_pairings(index=index, round_=round_, known=known, members=len(members))
    return single_pairings(stage=stage, index=index, round_=round_, known=known)
