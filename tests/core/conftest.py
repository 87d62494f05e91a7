"""The toy game takes part like a real one: everything that looks games up by name finds it as ``rps``."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from games import registry
from tests.core import toy


@pytest.fixture(autouse=True, scope="session")
def rps() -> Iterator[toy.RockPaperScissors]:
    """The toy game, registered."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry._CLASSES, "rps", "RockPaperScissors")
        for module in ("games.rps", "games.rps.judge", "games.rps.bench"):
            patch.setitem(sys.modules, module, toy)
        yield toy.RockPaperScissors()
