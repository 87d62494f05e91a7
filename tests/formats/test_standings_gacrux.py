"""Tests standings against another library; ``python -m tests.formats.against_gacrux 2000`` compares more."""

from __future__ import annotations

import random

from tests.formats.against_gacrux import differences, tournament_random


def test_standings_are_those_of_another_library() -> None:
    """Points, tie-breaks and order of random tournaments are equal."""
    for seed in range(200):
        made = tournament_random(random.Random(seed))  # noqa: S311 - results to compare, the same each time
        assert differences(*made) == [], seed
