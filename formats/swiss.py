"""Swiss rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.message import Message
from formats.dutch import dutch_pairings, matched_pairings
from formats.model import DUEL, Decided, Pairing, Stage
from formats.neighbours import neighbours_pairings, times_met


def swiss_pairings(
    *,
    stage: Stage,
    index: int,
    round_: int,
    members: Sequence[int],
    playing: Sequence[int],
    decided: Sequence[Decided],
    lots: int,
    sizes: Sequence[int],
) -> list[Pairing]:
    """Return the pairings of a Swiss round, that of the leaders first, byes last.

    Tables of two follow the Dutch system. Where its rules allow no pairing, and at larger tables, entrants with about
    equal points meet, with as few repeated meetings as can be.

    Args:
        stage: the stage.
        index: its number in the tournament.
        round_: the round, from 1.
        members: seed numbers of all who began the stage, the strongest first.
        playing: those who still play, in the same order.
        decided: the pairings of the stage's earlier rounds.
        lots: a secret number; if it is even, the strongest sits first in round 1.
        sizes: the sizes that pairings may have.
    """
    points = dict.fromkeys(members, 0.0)
    byes = dict.fromkeys(members, 0)
    first = dict.fromkeys(members, 0)
    for each in decided:
        for entrant, gained in zip(each.pairing.entrants, each.points, strict=True):
            points[entrant] += gained
        is_bye = len(each.pairing.entrants) == 1
        (byes if is_bye else first)[each.pairing.entrants[0]] += 1
    # Rounded, so that sums of thirds do not depend on their order.
    points = {entrant: round(total, 6) for entrant, total in points.items()}
    ordered = sorted(playing, key=lambda each: -points[each])
    met = times_met(each.pairing.entrants for each in decided)
    pairings: Sequence[Sequence[int]] | None
    if stage.table_size > DUEL:
        usable = [size for size in sizes if size < stage.table_size] + [stage.table_size]
        pairings = neighbours_pairings(ordered=ordered, points=points, met=met, byes=byes, sizes=usable)
    elif len(playing) < DUEL:
        pairings = [playing]
    else:
        pairings = dutch_pairings(
            members=members,
            playing=playing,
            decided=decided,
            rounds=stage.rounds,
            round_=round_,
            is_white_first=lots % 2 == 0,
        )
        if pairings is None:
            pairings = matched_pairings(ordered=ordered, points=points, met=met, byes=byes, first=first)
    return [
        Pairing(index, round_, number, tuple(pairing), why=_why(pairing, ordered, points))
        for number, pairing in enumerate(pairings, 1)
    ]


def _why(pairing: Sequence[int], ordered: Sequence[int], points: Mapping[int, float]) -> Message:
    """Return why these meet: their points, and which of those with equal points they are."""
    gained = [points[each] for each in pairing]
    if len(pairing) == 1:
        return Message("tournament-why-bye-swiss", {"points": gained[0]})
    if len(set(gained)) > 1:
        return Message("tournament-why-swiss-floats", {"points": ", ".join(f"{each:.4g}" for each in gained)})
    equals = [each for each in ordered if points[each] == gained[0]]
    numbers = ", ".join(str(equals.index(each) + 1) for each in pairing)
    return Message("tournament-why-swiss", {"points": gained[0], "numbers": numbers, "count": len(equals)})
