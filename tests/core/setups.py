"""The setups of all registered games, see ``banzuke.testing.setups``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from banzuke.testing.setups import Setup, setups_of
from core.variants import table_sizes
from games.registry import game_named
from tests.own import OWN


def registered() -> list[Setup]:
    return [setup for name in OWN for setup in setups_of(game_named(name))]


def middle_sizes_in_test_all(setups: Iterable[Setup]) -> list[Any]:
    """Return setups as parameters; sizes of a table between the least and the most seats run in `make test-all` alone.

    A rule that is wrong for three seats is nearly always wrong for two or four, and each case takes a second.
    """
    return [pytest.param(setup, id=str(setup), marks=_marks(setup)) for setup in setups]


def _marks(setup: Setup) -> list[pytest.MarkDecorator]:
    sizes = table_sizes(setup.game, setup.ruleset)
    return [] if setup.players in (min(sizes), max(sizes)) else [pytest.mark.test_all]
