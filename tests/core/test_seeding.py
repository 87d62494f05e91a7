"""The random numbers drawn from a seed never change."""

from __future__ import annotations

import numpy as np

from core.seeding import between, draws, draws_of_each


def test_numbers_are_the_ones_they_always_were() -> None:
    """If these values change, the seeds of all recorded matches lead to other matches."""
    assert draws(7, 0, 2).tolist() == [13225839796362995591, 9672475392221035855]
    assert between(draws(7, 0, 4), -2, 2).tolist() == [1, 0, -1, 2]


def test_a_row_may_be_read_in_parts() -> None:
    assert np.array_equal(np.concatenate([draws(5, 0, 3), draws(5, 3, 4)]), draws(5, 0, 7))


def test_many_seeds_at_once_draw_what_each_draws() -> None:
    seeds = [0, 7, 2**63 - 1]
    assert np.array_equal(draws_of_each(seeds, 3, 5), np.stack([draws(seed, 3, 5) for seed in seeds]))
    assert draws_of_each([], 0, 5).shape == (0, 5)


def test_numbers_lie_between_their_limits_about_evenly() -> None:
    counts = np.unique(between(draws(2**63 - 1, 0, 6_000), 3, 5), return_counts=True)
    assert counts[0].tolist() == [3, 4, 5]
    assert counts[1].min() > 1_800
