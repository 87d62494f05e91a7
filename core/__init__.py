"""The rules of the games: pure numpy, no I/O.

``core.game("kakomimasu")`` is a game's rules, ``core.games()`` are the names of all.
"""

from __future__ import annotations

import importlib
from typing import Any

from core.game import Game

_CLASSES = {
    "kakomimasu": "Kakomimasu",
    "wondev_woman": "WondevWoman",
    "attack25": "Attack25",
    "back_to_the_code": "BackToTheCode",
    "puyo": "Puyo",
}
"""Package under ``core`` and its class. Imported when first asked for: a bot author's match loads one game only."""


def games() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(_CLASSES)


def game(name: str) -> Game[Any]:
    """Return the rules of a game.

    Raises:
        KeyError: there is no such game.
    """
    class_name = _CLASSES[name]
    rules: Game[Any] = getattr(importlib.import_module(f"core.{name}"), class_name)()
    return rules
