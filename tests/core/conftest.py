"""Registers the toy game under the name ``rps``, so that tests can use it like a real game."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from games import registry
from tests.core import toy


@pytest.fixture(autouse=True, scope="session")
def rps() -> Iterator[toy.RockPaperScissors]:
    """The rules of the registered toy game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry._CLASSES, "rps", "RockPaperScissors")
        for module in ("games.rps", "games.rps.judge", "games.rps.bench"):
            patch.setitem(sys.modules, module, toy)
        yield toy.RockPaperScissors()
