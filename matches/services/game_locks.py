"""The lock of a game, which a process holds while it pairs the game's matches or writes its ratings or tallies."""

from __future__ import annotations

from matches.models import GameLock


def game_lock(*, game: str) -> GameLock:
    """Lock the row of a game until the transaction ends, and return it."""
    return GameLock.objects.select_for_update().get_or_create(game=game)[0]


def game_lock_if_free(*, game: str) -> bool:
    """Lock the row of a game until the transaction ends, unless somebody else holds it; say whether it is locked."""
    GameLock.objects.get_or_create(game=game)
    return bool(GameLock.objects.select_for_update(skip_locked=True).filter(game=game))
