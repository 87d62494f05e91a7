"""Tests the study of formats in a small run."""

from __future__ import annotations

import pytest

from formats.stages import stages_faults
from formats.study import RUNS, designs, study


@pytest.mark.parametrize("entrants", RUNS)
def test_designs_can_be_played(entrants: int) -> None:
    """The site would accept each design."""
    for design in designs(entrants):
        assert stages_faults(stages=design.stages, sizes=(2,), entrants=entrants) == [], design.name


def test_a_small_run_is_the_same_every_time() -> None:
    """The seed decides all; more games find the best bot more often."""
    lines = study(entrants=8, runs=12)
    assert lines == study(entrants=8, runs=12)
    by_name = {line.name: line for line in lines}
    assert by_name["Round robin"].matches == 8 * 7
    assert by_name["Round robin, best of 3"].matches == 3 * 8 * 7
    assert by_name["Swiss, 3 rounds"].matches == 3 * 8
    assert 8 * 2 <= by_name["Single elimination"].matches <= 8 * 2 * 3
    assert all(0.2 <= line.best[0] <= line.top[0] <= 1 for line in lines)
    assert by_name["Round robin, best of 3"].correlation > by_name["Swiss, 3 rounds"].correlation
