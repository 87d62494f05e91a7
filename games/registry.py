"""Which games there are: ``game_named("kakomimasu")`` is a game's rules, ``game_names()`` are the names of all."""

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
"""Package under ``games`` and its class. Imported when first asked for: a bot author's match loads one game only."""


def game_names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(_CLASSES)


def game_named(name: str) -> Game[Any]:
    """Return the rules of a game.

    Raises:
        KeyError: there is no such game.
    """
    class_name = _CLASSES[name]
    rules: Game[Any] = getattr(importlib.import_module(f"{__package__}.{name}"), class_name)()
    return rules


def game_part(name: str, part: str) -> Any:
    """Return a module of a game's folder, such as its ``judge``.

    Raises:
        KeyError: there is no such game.
        ModuleNotFoundError: the folder has no such module.
    """
    if name not in _CLASSES:
        raise KeyError(name)
    return importlib.import_module(f"{__package__}.{name}.{part}")
