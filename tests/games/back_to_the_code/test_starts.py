"""The cells on which seats start."""

from __future__ import annotations

from collections import Counter

import pytest

from games.back_to_the_code.starts import starts

GRID = (20, 35)


def test_starts_of_a_seed_never_change() -> None:
    assert starts(7, 2, GRID) == [(5, 7), (29, 12)]
    assert starts(7, 4, GRID) == [(11, 14), (16, 10), (0, 6), (28, 18)]


@pytest.mark.parametrize("grid", [GRID, (3, 3), (2, 2), (1, 2)])
def test_two_seats_start_opposite_each_other(grid: tuple[int, int]) -> None:
    for seed in range(300):
        (x, y), (u, v) = starts(seed, 2, grid)
        assert (x + u, y + v) == (grid[1] - 1, grid[0] - 1)
        assert (x, y) != (u, v)


@pytest.mark.parametrize("players", [3, 4])
def test_more_seats_start_on_different_cells_anywhere(players: int) -> None:
    found = Counter(cell for seed in range(600) for cell in set(starts(seed, players, (2, 3))))
    assert sum(found.values()) == 600 * players
    assert len(found) == 6
    assert min(found.values()) > 80 * players
