"""Tests the study of formats in a small run."""

from __future__ import annotations

from pathlib import Path

import pytest

from formats.stages import stages_faults
from formats.study import RUNS, SWISS_SHARE, designs, markdown, study

DOCS = Path(__file__).parents[2] / "docs" / "tournaments_study.md"
PRINTED = """
| Single elimination | 12 | 20 | 58 ± 14.2 % | 100 ± 0.0 % | 0.81 ± 0.032 |
| Double elimination | 12 | 40 | 75 ± 12.5 % | 92 ± 8.0 % | 0.81 ± 0.049 |
| Swiss, 5 rounds | 3 | 40 | 33 ± 27.2 % | 100 ± 0.0 % | 0.83 ± 0.049 |
| Round robin | 12 | 56 | 75 ± 12.5 % | 100 ± 0.0 % | 0.84 ± 0.035 |
| 2 groups, 4 go on to single elimination, best of 5 | 12 | 59 | 67 ± 13.6 % | 92 ± 8.0 % | 0.82 ± 0.042 |
"""
"""What ``python -m formats.study --entrants 8 --runs 12`` prints, in part."""


@pytest.mark.parametrize("entrants", RUNS)
def test_designs_can_be_played(entrants: int) -> None:
    """The site would accept each design."""
    for design in designs(entrants):
        assert stages_faults(stages=design.stages, sizes=(2,), entrants=entrants) == [], design.name


def test_a_small_run_prints_the_same_everywhere() -> None:
    """If these rows change, results of tournaments have changed: run the study again, and bring the docs up to date."""
    lines = study(entrants=8, runs=12)
    printed = markdown(lines).splitlines()
    assert [row for row in PRINTED.strip().splitlines() if row not in printed] == []
    by_name = {line.name: line for line in lines}
    assert by_name["Round robin, best of 3"].matches == 3 * 8 * 7
    assert by_name["Swiss, 3 rounds"].matches == 3 * 8
    # The match for the third place makes eight pairings; a tie may take two more encounters.
    assert 8 * 2 <= by_name["Single elimination"].matches <= 8 * 2 * 3


def test_the_docs_have_the_pairings_of_the_full_run() -> None:
    """Each design has its row, from as many tournaments as the command simulates."""
    text = DOCS.read_text()
    for entrants, runs in RUNS.items():
        part = text.split(f"### {entrants} entrants")[1]
        for design in designs(entrants):
            is_swiss = "Swiss" in design.name
            assert f"| {design.name} | {runs // SWISS_SHARE if is_swiss else runs} |" in part
