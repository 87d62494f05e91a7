"""The registry of games: ``game_names()`` returns the names of all, ``game_named("kakomimasu")`` the rules of one."""

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
"""The class of each package under ``games``. A package is imported when it is first used, so that a match loads only
one game."""


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
