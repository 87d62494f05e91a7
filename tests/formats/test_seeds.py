"""Seeds of encounters stay what they are: a tournament that is resumed continues with the same matches."""

from __future__ import annotations

from itertools import product

from formats.seeds import SEED_BITS, encounter_seed


def test_a_seed_is_the_same_for_ever() -> None:
    assert encounter_seed(lots=1, stage=0, round_=1, pairing=1, encounter=1) == 7133233673714098


def test_no_two_encounters_share_a_seed() -> None:
    places = list(product(range(3), range(1, 6), range(1, 12), range(1, 6)))
    seeds = {
        encounter_seed(lots=7, stage=stage, round_=round_, pairing=pairing, encounter=encounter)
        for stage, round_, pairing, encounter in places
    }
    assert len(seeds) == len(places)
    assert all(0 <= seed < 2**SEED_BITS for seed in seeds)
