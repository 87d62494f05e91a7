"""Legal panels and panels that turn over, in worked examples and compared with the plain reference."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.attack25.panels import PANELS, Class, chosen, flipped, pack, single, takes, unpack
from games.attack25.rules import sides, take_panels
from tests.games.attack25 import plain
from tests.games.attack25.boards import SEATS, boards, members, owned, played

R, G, W, B = range(SEATS)


ROUND_13 = [7, 8, 9, 12, 14, 17, 18, 19]


def board(**panels: list[int]) -> plain.Board:
    return {panel: "RGWB".index(colour) for colour, owns in panels.items() for panel in owns}


MIXED = board(R=[13], B=[7, 8, 12], W=[1])


LATE = board(R=[4, 5, 8, 10, 18, 19, 20, 22, 23, 24, 25], B=[3, 9, 13, 14, 15, 17])


EXAMPLES = [
    ({}, W, Class.CENTRE, [13]),
    (board(R=[13]), R, Class.TOUCHES, ROUND_13),
    (board(R=[13]), G, Class.PREPARES, ROUND_13),
    (board(R=[13], B=[8]), R, Class.FLIPS, [3]),
    (board(R=[13], B=[8]), B, Class.FLIPS, [18]),
    (board(R=[13], B=[8]), W, Class.PREPARES, [2, 3, 4, 7, 9, 12, 14, 17, 18, 19]),
    (MIXED, R, Class.FLIPS, [3, 11]),
    (MIXED, B, Class.FLIPS, [14, 18, 19]),
    (MIXED, W, Class.FLIPS, [19]),
    (MIXED, G, Class.PREPARES, [2, 3, 4, 6, 9, 11, 14, 16, 17, 18]),
    (LATE, R, Class.FLIPS, [2, 7, 11, 12, 16, 21]),
    (LATE, B, Class.FLIPS, [2, 7]),
    (LATE, W, Class.TOUCHES, [2, 7, 11, 12, 16, 21]),
    (board(B=[1], R=[25], G=[19]), B, Class.PREPARES, [14, 15, 18, 20, 23, 24]),
]


def by_class(classes: np.ndarray, count: int) -> list[int]:
    flags = unpack(classes, count)
    assert (flags.sum(axis=0) == 1).all()
    return flags.argmax(axis=0).tolist()


def movers(colours: list[int]) -> np.ndarray:
    return pack(np.arange(SEATS)[:, None] == np.array(colours, int))


@pytest.mark.parametrize(("position", "colour", "class_", "panels"), EXAMPLES)
def test_examples(position: plain.Board, colour: int, class_: Class, panels: list[int]) -> None:
    legal, classes = takes(*sides(owned([position]), movers([colour])))
    assert members(legal, 1) == [panels]
    assert by_class(classes, 1) == [class_]
    assert plain.legal(position, colour) == (class_, panels)


def test_flips_do_not_cascade() -> None:
    """Green takes 3 and turns 2 over; that 7 now lies between 2 and 12 does not matter."""
    position = board(G=[1, 12], R=[2, 7])
    own, other = sides(owned([position]), movers([G]))
    assert members(flipped(own, other, single(np.array([3]))), 1) == [[2]]


batches = st.lists(st.tuples(boards | played(), st.integers(0, SEATS - 1)), min_size=1, max_size=20)


@given(batches)
def test_takes_are_those_of_the_reference(batch: list[tuple[plain.Board, int]]) -> None:
    positions, colours = map(list, zip(*batch, strict=True))
    legal, classes = takes(*sides(owned(positions), movers(colours)))
    found = list(zip(by_class(classes, len(batch)), members(legal, len(batch)), strict=True))
    assert found == [plain.legal(position, colour) for position, colour in batch]


@given(batches, st.randoms(use_true_random=False))
def test_flips_are_those_of_the_reference(batch: list[tuple[plain.Board, int]], dice: random.Random) -> None:
    batch = [(position, colour) for position, colour in batch if len(position) < PANELS] or [({}, R)]
    positions, colours = map(list, zip(*batch, strict=True))
    panels = [dice.choice([panel for panel in plain.PANELS if panel not in position]) for position in positions]
    before = owned(positions)
    after = take_panels(before, movers(colours), single(np.array(panels)))
    for position, colour, panel in zip(positions, colours, panels, strict=True):
        plain.take(position, colour, panel)
    count = len(batch)
    assert np.array_equal(unpack(after, count), unpack(owned(positions), count))


def test_random_choices_are_legal_and_all_occur() -> None:
    count = 4_001
    rng = np.random.Generator(np.random.SFC64(1))
    legal, _ = takes(*sides(owned([MIXED, {}, LATE] * count), movers([B, R, R] * count)))
    picks = members(chosen(legal, 3 * count, rng), 3 * count)
    assert all(len(pick) == 1 for pick in picks)
    for start, panels in ((0, [14, 18, 19]), (1, [13]), (2, EXAMPLES[10][3])):
        values, times = np.unique(picks[start::3], return_counts=True)
        assert values.tolist() == panels
        assert times.min() > 0.8 * count / len(panels)
