"""The benchmarks of the sandbox run, each with few rounds."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

import sandbox
from tests.bench import figures

pytestmark = pytest.mark.quiet


def test_turns_are_measured_of_bots_that_are_frozen_and_of_others(bubblewrap: str, tmp_path: Path) -> None:
    """Bots start frozen, also those that the benchmark never freezes: if it never thawed them, it would hang."""
    with closing(sandbox.backend("bubblewrap")) as isolation:
        costs = figures.turn_us(isolation, tmp_path, rounds=1, turns=2)
    assert len(costs) == 3
    assert min(costs.values()) > 0


def test_starts_are_measured(bubblewrap: str, tmp_path: Path) -> None:
    with closing(sandbox.backend("bubblewrap")) as isolation:
        costs = figures.start_ms(isolation, tmp_path, rounds=1)
    assert costs["start to first line"] > 0
