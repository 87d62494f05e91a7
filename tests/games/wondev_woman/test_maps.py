"""Maps and starting places: the contest's generator, and matches from seeds."""

from __future__ import annotations

from collections import Counter

import pytest

from games.registry import game_named
from games.wondev_woman import view
from games.wondev_woman.maps import DIAMOND, KINDS, RANDOM_SIZE, SQUARE, JavaRandom, generate, java_seed

GAME = game_named("wondev_woman")


def test_numbers_are_those_of_java() -> None:
    """The first results of nextInt(10) of ``new Random(42)``, by the algorithm in its documentation."""
    random = JavaRandom(42)
    assert [random.below(10) for _ in range(10)] == [0, 3, 8, 4, 0, 5, 5, 8, 9, 3]


def test_all_kinds_of_map_are_equally_frequent() -> None:
    kinds = Counter(generate(java_seed(seed), 2).kind for seed in range(3_000))
    assert all(900 < kinds[kind] < 1_100 for kind in range(3))


def test_random_maps_are_mirrored_and_connected() -> None:
    sizes = Counter()
    for seed in range(300):
        cells = generate(java_seed(seed), 2, KINDS.index("random")).cells
        assert cells == {(RANDOM_SIZE - 1 - x, y) for x, y in cells}
        reached = {min(cells)}
        for _ in range(36):
            reached |= {(x + dx, y + dy) for x, y in reached for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & cells
        assert reached == cells
        sizes[len(cells)] += 1
    assert set(sizes) >= {26, 28, 30, 32, 34}


@pytest.mark.parametrize("units", [1, 2])
@pytest.mark.parametrize("symmetric", [False, True])
def test_units_start_on_different_cells(units: int, symmetric: bool) -> None:
    for seed in range(200):
        start = generate(seed, units, symmetric=symmetric)
        first, second = start.units
        assert len({*first, *second}) == 2 * units
        assert {*first, *second} <= start.cells
        if symmetric:
            side = 1 + max(map(max, start.cells))
            assert [(side - 1 - x, y) for x, y in first] == list(second)


def test_options() -> None:
    assert view.rows(GAME.reset([1], 2, {"map": "square"}), 0) == ["00000"] * 5
    diamond = GAME.reset([1], 2, {"map": "diamond"})
    assert sum(row.count("0") for row in view.rows(diamond, 0)) == len(DIAMOND) == len(SQUARE)
    assert int(diamond.size[0]) == 7
    by_java = GAME.reset([1, 2], 2, {"java_seed": "-7", "map": "random"})
    assert view.rows(by_java, 0) == ["000000", "00..00", "000000", "000000", "0.00.0", ".0..0."]
    assert view.places(by_java, 0) == view.places(by_java, 1) == [[(2, 3), (1, 1)], [(0, 2), (2, 2)]]


def test_the_starts_of_seeds_never_change() -> None:
    """If these values change, seeds of recorded matches lead to other matches: then change ``rules_version``, too."""
    state = GAME.reset([7, 2**63 - 1])
    assert view.places(state, 0) == [[(3, 6), (1, 3)], [(4, 1), (0, 3)]]
    assert view.places(state, 1) == [[(0, 4), (0, 1)], [(1, 2), (1, 1)]]
    assert [view.rows(state, b)[0] for b in range(2)] == ["...0...", "00000"]
