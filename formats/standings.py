"""Standings and places with tie-breaks: pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import inf

from formats.model import DUEL, KNOCKOUTS, Decided, Entrant, Format, Place, Stage, Standing, TieBreak
from formats.tiebreaks import DIGITS, VALUES, Records, direct_encounter, records_of, split

USUAL = {
    Format.ROUND_ROBIN: (TieBreak.DIRECT_ENCOUNTER, TieBreak.SONNEBORN_BERGER, TieBreak.WINS, TieBreak.GAME_DIFFERENCE),
    Format.SWISS: (
        TieBreak.BUCHHOLZ,
        TieBreak.MEDIAN_BUCHHOLZ,
        TieBreak.SONNEBORN_BERGER,
        TieBreak.DIRECT_ENCOUNTER,
        TieBreak.WINS,
        TieBreak.GAME_DIFFERENCE,
    ),
}
"""The tie-breaks of stages that do not name any."""
COUNTED = ("points", "played", "wins", "draws", "losses", "games", "games_played")
"""The fields of ``Standing`` that are copied from the entrant's ``tiebreaks.Record``."""


def tie_breaks_of(stage: Stage) -> tuple[TieBreak, ...]:
    """Return what decides between equal points in a stage, in this order; nothing in knockouts."""
    if stage.format in KNOCKOUTS:
        return ()
    return stage.tie_breaks or USUAL[stage.format]


def groups_of(*, stage: Stage, numbers: Sequence[int]) -> dict[str, list[int]]:
    """Deal the entrants of a round robin into its groups like a snake: A, B, C, C, B, A, A ..

    ``numbers`` are seed numbers, best first, as ``stage_entrants`` returns them.

    Returns:
        The seed numbers of each group by its name, best first; one group without a name if the stage has no groups.
    """
    if stage.format != Format.ROUND_ROBIN or stage.groups <= 1:
        return {"": list(numbers)}
    names = [_group_name(index) for index in range(stage.groups)]
    dealt: dict[str, list[int]] = {name: [] for name in names}
    for index, number in enumerate(numbers):
        turn, at = divmod(index, stage.groups)
        dealt[names[-1 - at if turn % 2 else at]].append(number)
    return dealt


def _group_name(index: int) -> str:
    """Return ``A``, ``B`` .. ``Z``, ``AA``, ``AB`` .."""
    rest, letter = divmod(index, 26)
    return (_group_name(rest - 1) if rest else "") + chr(ord("A") + letter)


def stage_entrants(
    *, stages: Sequence[Stage], stage: int, entrants: Sequence[Entrant], decided: Sequence[Decided]
) -> list[int]:
    """Return the seed numbers of those that play a stage, best first: all, or who went on from the stage before.

    The arguments are those of ``standings``; the stages before have been played.
    """
    if stage == 0:
        return sorted(entrant.number for entrant in entrants)
    return goes_on(stages=stages, stage=stage - 1, entrants=entrants, decided=decided)


def goes_on(
    *, stages: Sequence[Stage], stage: int, entrants: Sequence[Entrant], decided: Sequence[Decided]
) -> list[int]:
    """Return the seed numbers of those that go on from a stage to the next, best first.

    From groups, the firsts of all groups go before all seconds, and so on. Those with the same place in their groups
    are ordered by their points a pairing (groups may differ in size), then by seed number. From a knockout, those
    that came farther go first, then the better seed numbers. Who has left before the next stage's first round leaves
    room for the next best; if too few are left, the best of those that have left go on and lose by forfeit. The
    arguments are those of ``standings``; the stage has been played.
    """
    rows = _across_groups(stages=stages, stage=stage, entrants=entrants, decided=decided)
    # Who left in the first round of the next stage belongs to it: the round had been drawn.
    gone = {entrant.number for entrant in entrants if entrant.left is not None and entrant.left < (stage + 1, 1)}
    first = sorted((row.entrant for row in rows), key=gone.__contains__)[: stages[stage].goes_on]
    return [row.entrant for row in rows if row.entrant in first]


def standings(
    *, stages: Sequence[Stage], stage: int, entrants: Sequence[Entrant], decided: Sequence[Decided]
) -> list[Standing]:
    """Return the standings of a stage, by group and place. Knockouts have one, too: by how far each entrant has come.

    In a knockout, entrants that were put out in the same round share the better place. Those still in it come first:
    in double elimination, without a loss before with one. Single elimination with a match for the third place tells
    third and fourth apart. At tables of three or four, those that were put out in the same round are ordered by their
    points at their last pairing.

    Args:
        stages: the tournament's stages.
        stage: the number of the stage, from 0.
        entrants: all entrants of the tournament.
        decided: decided pairings; those of the stages up to this count. Rounds may be incomplete.
    """
    numbers = stage_entrants(stages=stages, stage=stage, entrants=entrants, decided=decided)
    known = {entrant.number: entrant for entrant in entrants}
    pairings = [one for one in decided if one.pairing.stage == stage]
    playing = [known[number] for number in numbers]
    records = records_of(stage=stages[stage], number=stage, entrants=playing, decided=pairings)
    has_left = {entrant.number for entrant in playing if entrant.left is not None and entrant.left[0] <= stage}
    rows: list[tuple[int, int, tuple[float, ...], str]] = []
    if stages[stage].format in KNOCKOUTS:
        rows = [(number, place, (), "") for number, place in _knockout_places(stages[stage], numbers, pairings)]
    else:
        for group, members in groups_of(stage=stages[stage], numbers=numbers).items():
            ranked = _ranked(records, members, tie_breaks_of(stages[stage]))
            rows.extend((number, place, values, group) for place, (number, values) in enumerate(ranked, start=1))
    return [
        Standing(
            entrant=number,
            place=place,
            tie_breaks=values,
            group=group,
            has_left=number in has_left,
            **{name: getattr(records.of[number], name) for name in COUNTED},
        )
        for number, place, values, group in rows
    ]


def places(*, stages: Sequence[Stage], entrants: Sequence[Entrant], decided: Sequence[Decided]) -> list[Place]:
    """Return where each entrant has come in the tournament so far, best first.

    Who reached a later stage is before all who did not. Who came to the same place in different groups shares a place.
    """
    found: list[Place] = []
    placed: set[int] = set()
    last = max((one.pairing.stage for one in decided), default=0)
    for stage in range(last, -1, -1):
        rows = _across_groups(stages=stages, stage=stage, entrants=entrants, decided=decided)
        first, before = len(placed) + 1, 0
        for row in rows:
            if row.entrant in placed:
                continue
            if row.place != before:
                first, before = len(placed) + 1, row.place
            found.append(Place(entrant=row.entrant, place=first, stage=stage))
            placed.add(row.entrant)
    return found


def _across_groups(
    *, stages: Sequence[Stage], stage: int, entrants: Sequence[Entrant], decided: Sequence[Decided]
) -> list[Standing]:
    """Return a stage's standings in one order over all groups: by place, points for each pairing, seed number."""
    rows = standings(stages=stages, stage=stage, entrants=entrants, decided=decided)
    if len({row.group for row in rows}) <= 1:
        return rows
    pairings = Counter(number for one in decided if one.pairing.stage == stage for number in one.pairing.entrants)

    def share(row: Standing) -> float:
        return round(row.points / max(1, pairings[row.entrant]), DIGITS)

    return sorted(rows, key=lambda row: (row.place, -share(row), row.entrant))


def _ranked(
    records: Records, members: Sequence[int], tie_breaks: Sequence[TieBreak]
) -> list[tuple[int, tuple[float, ...]]]:
    """Return the members of a group with the values of their tie-breaks, best first."""
    values: dict[int, list[float]] = {number: [] for number in members}
    tied = split(members, lambda number: records.of[number].points)
    for tie_break in tie_breaks:
        for group in tied:
            if tie_break == TieBreak.DIRECT_ENCOUNTER:
                of = direct_encounter(records, group)
            else:
                of = {number: VALUES[tie_break](records, number) for number in group}
            for number in group:
                values[number].append(of[number])
        tied = [smaller for group in tied for smaller in split(group, lambda number: values[number][-1])]
    return [(number, tuple(values[number])) for group in tied for number in sorted(group)]


def _knockout_places(stage: Stage, numbers: Sequence[int], pairings: Sequence[Decided]) -> list[tuple[int, int]]:
    """Return the entrants of a knockout with their places, best first."""
    lives = 2 if stage.format == Format.DOUBLE_ELIMINATION else 1
    losses = dict.fromkeys(numbers, 0)
    far = dict.fromkeys(numbers, (inf, 0.0))
    """The round in which an entrant was put out, and what orders those that were put out in the same round."""
    third = 0
    for one in sorted(pairings, key=lambda one: (one.pairing.round, one.pairing.number)):
        if one.pairing.group == "third":
            third = one.winner
            continue
        for number, points in zip(one.pairing.entrants, one.points, strict=True):
            if number != one.winner:
                losses[number] += 1
                if losses[number] == lives:
                    # A table of two has one loser, whose points say nothing about those of other pairings.
                    far[number] = (one.pairing.round, points if len(one.points) > DUEL else 0.0)
    if third:
        far[third] = (far[third][0], 1.0)

    def key(number: int) -> tuple[float, float, int]:
        still_in = losses[number] < lives
        return (-far[number][0], -far[number][1], losses[number] if still_in else 0)

    order = sorted(numbers, key=lambda number: (key(number), number))
    keys = [key(number) for number in order]
    return [(number, keys.index(own) + 1) for number, own in zip(order, keys, strict=True)]
