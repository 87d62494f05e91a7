"""The figures of the sandbox can be measured: few of each, whatever comes out."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import sandbox
from tests.bench import figures


def test_turns_are_measured_of_bots_that_are_frozen_and_of_others(bubblewrap: str, tmp_path: Path) -> None:
    """The others, too, stand still until they are asked first: who never woke them waited for ever."""
    with closing(sandbox.backend("bubblewrap")) as walls:
        costs = figures.turn_us(walls, tmp_path, rounds=1, turns=2)
    assert len(costs) == 3
    assert min(costs.values()) > 0


def test_starts_are_measured(bubblewrap: str, tmp_path: Path) -> None:
    with closing(sandbox.backend("bubblewrap")) as walls:
        costs = figures.start_ms(walls, tmp_path, rounds=1)
    assert costs["start to first line"] > 0
