"""Tests the study of formats in a small run."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.stages import stages_faults
from formats.study import RUNS, designs, study

DOCS = Path(__file__).parents[2] / "docs/tournaments_study.md"


@pytest.mark.parametrize("entrants", RUNS)
def test_designs_can_be_played(entrants: int) -> None:
    """The site would accept each design."""
    for design in designs(entrants):
        assert stages_faults(stages=design.stages, sizes=(2,), entrants=entrants) == [], design.name


def test_a_small_run_is_the_same_every_time() -> None:
    """The seed decides all; more games find the best bot more often."""
    lines = study(entrants=8, runs=30)
    assert lines == study(entrants=8, runs=30)
    by_name = {line.name: line for line in lines}
    assert by_name["Round robin"].matches == 8 * 7
    assert by_name["Round robin, best of 3"].matches == 3 * 8 * 7
    assert by_name["Swiss, 3 rounds"].matches == 3 * 8
    assert 7 * 2 <= by_name["Single elimination"].matches <= 7 * 2 * 3 + 6
    assert all(0.3 <= line.best[0] <= line.top[0] <= 1 for line in lines)
    assert by_name["Round robin, best of 3"].correlation > by_name["Swiss, 3 rounds"].correlation


def test_the_docs_have_the_table_of_the_command() -> None:
    """Each design has its row in the printed order of columns, with the number of runs."""
    text = DOCS.read_text()
    for entrants, runs in RUNS.items():
        assert f"{entrants} entrants, {runs} tournaments of each format:" in text
        part = text.split(f"{entrants} entrants, {runs} tournaments")[1]
        for design in designs(entrants):
            assert f"| {design.name} |" in part
