"""What cannot be played is refused with a sentence; how many rounds and matches there are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.model import Format, Stage
from formats.rounds import next_round
from formats.stages import matches_most, rounds_count, stages_faults
from games.words import ENGLISH, words_of
from tests.formats.playing import entrants_made, random_of, rounds_played

RR, SWISS, SINGLE, DOUBLE = Format


@pytest.mark.parametrize(
    ("stages", "entrants", "kind"),
    [
        ([], 8, "stages"),
        ([Stage(SINGLE)], 1, "entrants"),
        ([Stage(SINGLE)], 513, "entrants"),
        ([Stage(RR, table_size=5)], 8, "table-size"),
        ([Stage(DOUBLE, table_size=3)], 8, "double-size"),
        ([Stage(DOUBLE, third_place=True)], 8, "third-place"),
        ([Stage(SINGLE, best_of=100)], 8, "limit"),
        ([Stage(SINGLE, extra_max=-1)], 8, "limit"),
        ([Stage(SWISS)], 8, "limit"),
        ([Stage(SWISS, rounds=51)], 80, "limit"),
        ([Stage(RR, groups=0)], 8, "limit"),
        ([Stage(SINGLE, goes_on=2)], 8, "last-goes-on"),
        ([Stage(RR), Stage(SINGLE)], 8, "goes-on-few"),
        ([Stage(RR, goes_on=9), Stage(SINGLE)], 8, "goes-on-many"),
        ([Stage(RR, table_size=4)], 3, "few"),
        ([Stage(RR, groups=5)], 8, "groups-small"),
        ([Stage(RR, table_size=4)], 40, "combinations"),
        ([Stage(SWISS, rounds=8)], 8, "swiss-rounds"),
        ([Stage(RR)], 512, "matches"),
    ],
)
def test_a_fault_has_a_sentence(stages: list[Stage], entrants: int, kind: str) -> None:
    faults = stages_faults(stages=stages, sizes=(2, 3, 4), entrants=entrants)
    assert f"tournament-fault-{kind}" in {fault.kind for fault in faults}
    for fault in faults:
        sentence = words_of("", ENGLISH).sentence(fault)
        assert "{" not in sentence
        assert sentence.endswith(".")


def test_a_bracket_that_cannot_be_filled_names_the_numbers_that_can() -> None:
    (fault,) = stages_faults(stages=[Stage(SINGLE, table_size=4)], sizes=(4,), entrants=9)
    assert fault.args == {"stage": 1, "members": 9, "size": 4, "fewer": 7, "more": 10}


def test_a_round_robin_of_512_is_refused_with_its_matches() -> None:
    (fault,) = stages_faults(stages=[Stage(RR)], sizes=(2,), entrants=512)
    assert fault.args["count"] == 512 * 511


def test_before_the_entrants_are_known_the_rest_is_checked() -> None:
    assert not stages_faults(stages=[Stage(SWISS, rounds=9)], sizes=(2,))
    assert stages_faults(stages=[Stage(SWISS, rounds=9)], sizes=(3,))


@st.composite
def chains(draw: st.DrawFn) -> tuple[list[Stage], int]:
    """Return one or two stages without faults, and how many entrants play them."""
    count = draw(st.integers(4, 18))
    size = draw(st.integers(2, 4))
    first = draw(
        st.sampled_from(
            [
                Stage(RR, groups=draw(st.integers(1, 3)), cycles=draw(st.integers(1, 2)), table_size=size),
                Stage(SWISS, rounds=draw(st.integers(1, 4)), table_size=size),
                Stage(SINGLE, table_size=size),
                Stage(DOUBLE),
            ]
        )
    )
    on = draw(st.integers(2, count))
    second = draw(st.sampled_from([None, Stage(SINGLE), Stage(DOUBLE), Stage(RR), Stage(SWISS, rounds=1)]))
    if second is None:
        return [first], count
    return [Stage(first.format, **{**_fields(first), "goes_on": on}), second], count


def _fields(stage: Stage) -> dict[str, int]:
    return {name: getattr(stage, name) for name in ("rounds", "groups", "cycles", "table_size")}


@given(chain=chains(), seed=st.integers(0, 10**6))
@settings(max_examples=80)
def test_what_has_no_fault_is_played_to_its_end(chain: tuple[list[Stage], int], seed: int) -> None:
    """With as many rounds as were promised, nobody twice in a round, and the same whatever the order of the results."""
    stages, count = chain
    if stages_faults(stages=stages, sizes=(2, 3, 4), entrants=count):
        return
    rng = random_of(seed)
    rounds = [0] * len(stages)
    for draw, entrants, decided in rounds_played(stages, count, rng):
        rounds[draw.stage] += 1
        assert draw.round == rounds[draw.stage]
        seated = [number for pairing in draw.pairings for number in pairing.entrants]
        assert len(seated) == len(set(seated))
        assert [pairing.number for pairing in draw.pairings] == list(range(1, len(draw.pairings) + 1))
        assert all(pairing.why is not None for pairing in draw.pairings)
        shuffled = rng.sample(decided, len(decided))
        again = next_round(
            stages=stages, entrants=entrants[::-1], decided=shuffled, lots=1, sizes=rng.sample((2, 3, 4), 3)
        )
        assert again == draw
    for stage, played, members in zip(stages, rounds, (count, stages[0].goes_on), strict=False):
        most = rounds_count(stage=stage, entrants=members)
        assert played in ((most, most - 1) if stage.format is DOUBLE else (most,))


def test_matches_are_counted_as_they_are_played() -> None:
    for stage, count in ((Stage(RR, groups=2, cycles=2), 9), (Stage(SINGLE), 13), (Stage(SWISS, rounds=3), 8)):
        pairings = [each for draw, _, _ in rounds_played([stage], count, random_of(1)) for each in draw.pairings]
        played = sum(len(pairing.entrants) > 1 for pairing in pairings)
        assert matches_most(stage=stage, entrants=count) == 2 * played


@pytest.mark.parametrize("language", ["en", "ja", "ru"])
def test_each_reason_has_a_sentence(language: str) -> None:
    stages = [
        [Stage(RR, groups=2, cycles=2)],
        [Stage(RR, table_size=3)],
        [Stage(SWISS, rounds=3)],
        [Stage(SWISS, rounds=3, table_size=4)],
        [Stage(SINGLE, third_place=True)],
        [Stage(SINGLE, table_size=3)],
        [Stage(DOUBLE)],
    ]
    for chain in stages:
        for draw, _, _ in rounds_played(chain, 7, random_of(2)):
            for pairing in draw.pairings:
                assert pairing.why is not None
                sentence = words_of("", language).sentence(pairing.why)
                assert "{" not in sentence
                assert sentence.endswith((".", "。"))


def test_entrants_are_named_by_number() -> None:
    draw = next_round(stages=[Stage(SINGLE)], entrants=entrants_made(2), decided=[], lots=1, sizes=(2,))
    assert draw is not None
    assert draw.pairings[0].entrants == (1, 2)
