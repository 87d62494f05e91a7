"""Recorded matches still verify."""

from __future__ import annotations

from pathlib import Path

import pytest

from banzuke.testing import Setup, setups_of
from core.replay import ReplayMismatch, decode, encode
from games.replays import verify
from tests.core.setups import registered
from tests.core.toy import RockPaperScissors
from tests.games.golden import golden, record

pytestmark = pytest.mark.usefixtures("rps")


@pytest.mark.parametrize("setup", registered(), ids=str)
def test_recorded_matches_hold(setup: Setup) -> None:
    path = golden(setup)
    assert path.exists(), f"There is no {path.name} yet. Run: .venv/bin/python -m tests.games.golden"
    try:
        verify(path.read_bytes())
    except ReplayMismatch as mismatch:
        pytest.fail(f"{mismatch} Is it meant? Then see tests/games/golden/__init__.py.")


def test_only_missing_and_outdated_matches_are_recorded(tmp_path: Path) -> None:
    """Recording a new game must not overwrite the matches of others, which older versions have written."""
    valid, changed, *missing = setups_of(RockPaperScissors())
    old = encode(valid.match(seed=9))
    golden(valid, tmp_path).write_bytes(old)
    other = changed.match()
    other[0]["setting"] = {"rounds": 99}
    golden(changed, tmp_path).write_bytes(encode(other))
    assert record([valid, changed, *missing], tmp_path) == [f"{setup}.replay" for setup in (changed, *missing)]
    assert golden(valid, tmp_path).read_bytes() == old
    for setup in (changed, *missing):
        assert decode(golden(setup, tmp_path).read_bytes()) == setup.match()
    assert record([valid, changed, *missing], tmp_path) == []
