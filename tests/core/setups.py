"""The setups of all registered games, see ``banzuke.testing.setups``."""

from __future__ import annotations

from banzuke.testing.setups import Setup, setups_of
from games.registry import game_named
from tests.own import OWN


def registered() -> list[Setup]:
    return [setup for name in OWN for setup in setups_of(game_named(name))]
