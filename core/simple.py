"""The short way to write a game: one board in plain Python. ``as_game`` makes a ``core.game.Game`` of it."""

from __future__ import annotations

from typing import Any

from core.game import Game


def as_game(found: Any) -> Game[Any]:
    """Return the rules that an entry point names: a game or a class of one.

    Raises:
        TypeError: it is something else.
    """
    game = found() if isinstance(found, type) else found
    if not isinstance(game, Game):
        raise TypeError(f"{found!r} is no core.game.Game")
    return game
