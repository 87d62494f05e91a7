"""Tests properties that standings have for all tournaments."""

from __future__ import annotations

import random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.model import Decided, Entrant, Format, Outcome, Pairing, Stage, TieBreak
from formats.pairings import points_of
from formats.standings import places, standings, tie_breaks_of

FEW = settings(max_examples=60)


@st.composite
def tournaments(draw: st.DrawFn) -> tuple[Stage, list[Entrant], list[Decided]]:
    """Return a stage of tables of two to four with any results, byes and forfeits."""
    count = draw(st.integers(2, 9))
    form = draw(st.sampled_from((Format.SWISS, Format.ROUND_ROBIN)))
    rounds = draw(st.integers(1, 5))
    leaves = st.none() | st.tuples(st.just(0), st.integers(1, rounds))
    entrants = [Entrant(number, f"bot {number}", left=draw(leaves)) for number in range(1, count + 1)]
    order = draw(st.permutations(list(TieBreak)))
    size = draw(st.integers(2, 4))
    stage = Stage(form, rounds=rounds, table_size=size, tie_breaks=tuple(order))
    decided = []
    for round_ in range(1, rounds + 1):
        here = draw(st.permutations([one.number for one in entrants if one.left is None or one.left >= (0, round_)]))
        for number, start in enumerate(range(0, len(here), size), start=1):
            pairing = Pairing(stage=0, round=round_, number=number, entrants=tuple(here[start : start + size]))
            decided.append(draw(results(pairing, entrants)))
    return stage, entrants, decided


@st.composite
def results(draw: st.DrawFn, pairing: Pairing, entrants: list[Entrant]) -> Decided:
    """Return a pairing with any result."""
    plays = [entrants[number - 1].plays(0, pairing.round) for number in pairing.entrants]
    if len(plays) == 1:
        return Decided(pairing, points=(1.0,), outcome=Outcome.BYE)
    if not all(plays):
        points = points_of([float(each) for each in plays])
        points = tuple(value if here else 0.0 for value, here in zip(points, plays, strict=True))
        return Decided(pairing, points=points, outcome=Outcome.FORFEIT)
    points = points_of(draw(st.lists(st.integers(1, 4), min_size=len(plays), max_size=len(plays))))
    return Decided(pairing, points=points, games=tuple(2 * each for each in points), played=2)


@FEW
@given(tournaments())
def test_points_are_those_of_the_pairings(made: tuple[Stage, list[Entrant], list[Decided]]) -> None:
    """Nothing gets lost, and more points are never behind fewer."""
    stage, entrants, decided = made
    rows = standings(stages=[stage], stage=0, entrants=entrants, decided=decided)
    assert round(sum(row.points for row in rows), 6) == round(sum(sum(one.points) for one in decided), 6)
    keys = [(row.points, row.tie_breaks) for row in rows]
    assert keys == sorted(keys, reverse=True)
    assert [row.place for row in rows] == list(range(1, len(entrants) + 1))
    assert {len(row.tie_breaks) for row in rows} == {len(tie_breaks_of(stage))}
    assert [place.entrant for place in places(stages=[stage], entrants=entrants, decided=decided)] == [
        row.entrant for row in rows
    ]


@FEW
@given(tournaments(), st.randoms(use_true_random=False))
def test_the_order_of_arguments_does_not_matter(
    made: tuple[Stage, list[Entrant], list[Decided]], chance: random.Random
) -> None:
    """Pairings and entrants may come in any order."""
    stage, entrants, decided = made
    mixed = [chance.sample(each, len(each)) for each in (entrants, decided)]
    assert standings(stages=[stage], stage=0, entrants=mixed[0], decided=mixed[1]) == standings(
        stages=[stage], stage=0, entrants=entrants, decided=decided
    )


@FEW
@given(tournaments(), st.randoms(use_true_random=False))
def test_numbers_decide_only_what_is_equal(
    made: tuple[Stage, list[Entrant], list[Decided]], chance: random.Random
) -> None:
    """With other seed numbers everybody has the same points and tie-breaks."""
    stage, entrants, decided = made
    numbers = chance.sample(range(1, len(entrants) + 1), len(entrants))
    new = {entrant.number: number for entrant, number in zip(entrants, numbers, strict=True)}
    others = [msgspec.structs.replace(entrant, number=new[entrant.number]) for entrant in entrants]
    renumbered = [
        msgspec.structs.replace(
            one,
            pairing=msgspec.structs.replace(
                one.pairing, entrants=tuple(new[number] for number in one.pairing.entrants)
            ),
        )
        for one in decided
    ]
    before = standings(stages=[stage], stage=0, entrants=entrants, decided=decided)
    after = standings(stages=[stage], stage=0, entrants=others, decided=renumbered)
    assert {new[row.entrant]: (row.points, row.tie_breaks) for row in before} == {
        row.entrant: (row.points, row.tie_breaks) for row in after
    }
