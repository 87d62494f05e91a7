"""Recorded matches still are what the rules make of their answers."""

from __future__ import annotations

import pytest

from core.replay import ReplayMismatch, verify
from tests.core.golden import golden
from tests.core.setups import Setup, registered


@pytest.mark.parametrize("setup", registered(), ids=str)
def test_recorded_matches_hold(setup: Setup) -> None:
    try:
        verify(golden(setup).read_bytes())
    except ReplayMismatch as mismatch:
        pytest.fail(f"{mismatch} Is it meant? Then see tests/core/golden/__init__.py.")
