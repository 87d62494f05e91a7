"""Tests places and who goes on in whole tournaments of random stages, with entrants that leave at any time."""

from __future__ import annotations

import random

import pytest

from formats.model import Decided, Entrant, Format, Pairing, Stage
from formats.pairings import pairing_decide
from formats.rounds import next_round
from formats.stages import stages_faults
from formats.standings import places, stage_entrants, standings


def stages_random(chance: random.Random, count: int) -> list[Stage]:
    """Return one to three stages that a field can play."""
    while True:
        stages, members = [], count
        for _ in range(chance.randint(1, 3)):
            goes_on = chance.randint(2, max(2, members - 1))
            form = chance.choice(list(Format))
            stages.append(
                Stage(
                    form,
                    rounds=chance.randint(1, 5) if form == Format.SWISS else 0,
                    groups=chance.randint(1, 3) if form == Format.ROUND_ROBIN else 1,
                    third_place=form == Format.SINGLE_ELIMINATION and chance.random() < 0.5,
                    best_of=chance.choice((1, 2, 3)),
                    goes_on=goes_on,
                )
            )
            members = goes_on
        stages[-1] = Stage(stages[-1].format, rounds=stages[-1].rounds, best_of=stages[-1].best_of)
        if not stages_faults(stages=stages, sizes=(2,), entrants=count):
            return stages


def decide(chance: random.Random, stage: Stage, pairing: Pairing, field: list[Entrant]) -> Decided:
    """Return a pairing with random results; the better seed number has the better chances."""
    encounters: list[list[tuple[int, int]]] = []
    while not isinstance(
        result := pairing_decide(stage=stage, pairing=pairing, entrants=field, encounters=encounters), Decided
    ):
        while len(encounters) < result:
            encounters.append([chance.choice(((1, 2), (2, 1), (1, 1))) for _ in range(2)])
    return result


@pytest.mark.parametrize("seed", range(40))
def test_places_are_whole_at_any_time(seed: int) -> None:
    """After each round everybody has one place; the last stage's first place is one entrant's."""
    chance = random.Random(seed)  # noqa: S311 - a tournament to play
    field = [Entrant(number, f"bot {number}") for number in range(1, chance.randint(4, 14) + 1)]
    stages = stages_random(chance, len(field))
    decided: list[Decided] = []
    while draw := next_round(stages=stages, entrants=field, decided=decided, lots=7, sizes=(2,)):
        playing = stage_entrants(stages=stages, stage=draw.stage, entrants=field, decided=decided)
        assert {number for pairing in draw.pairings for number in pairing.entrants} <= set(playing)
        for pairing in chance.sample(draw.pairings, len(draw.pairings)):
            if chance.random() < 0.05:
                # An entrant leaves before its pairing is played.
                number = chance.choice(pairing.entrants)
                if field[number - 1].left is None:
                    field[number - 1] = Entrant(number, f"bot {number}", left=(draw.stage, draw.round))
            decided.append(decide(chance, stages[draw.stage], pairing, field))
            found = places(stages=stages, entrants=field, decided=decided)
            assert sorted(place.entrant for place in found) == [entrant.number for entrant in field]
        rows = standings(stages=stages, stage=draw.stage, entrants=field, decided=decided)
        assert sorted(row.entrant for row in rows) == sorted(playing)
    assert [place.place for place in found] == sorted(place.place for place in found)
    assert [place.stage for place in found] == sorted((place.stage for place in found), reverse=True)
    assert [place.place for place in found].count(1) == 1
    assert places(stages=stages, entrants=field, decided=chance.sample(decided, len(decided))) == found
