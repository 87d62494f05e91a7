"""The toy game takes part like a real one: everything that looks games up by name finds it as ``rps``."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

import core
from tests.core import toy


@pytest.fixture(autouse=True, scope="session")
def rps() -> Iterator[toy.RockPaperScissors]:
    """The toy game, registered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(core._CLASSES, "rps", "RockPaperScissors")
        for module in ("core.rps", "core.rps.judge", "core.rps.bench"):
            patch.setitem(sys.modules, module, toy)
        yield toy.RockPaperScissors()
