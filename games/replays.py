"""Verifies replays of the registered games, and recovers the states of their matches."""

from __future__ import annotations

from functools import partial
from typing import Any

from core import replay
from core.game import Game
from core.record import Header
from core.replay import ReplayMismatch
from games.registry import BrokenGame, game_named, game_names, versions_text


def rules_of(header: Header) -> Game[Any]:
    """Return the rules by which a replay was played.

    Raises:
        ReplayMismatch: the game is unknown here, or this version of its rules is not here.
    """
    try:
        return game_named(header.game, header.rules)
    except BrokenGame as error:
        raise ReplayMismatch(str(error)) from error
    except KeyError as error:
        if header.game not in game_names():
            raise ReplayMismatch(f"The replay is of an unknown game, {header.game!r}.") from error
        raise ReplayMismatch(
            f"The replay was played by version {header.rules} of the rules of {game_named(header.game).title}; only"
            f" {versions_text(header.game)} can be played here. It can still be watched."
        ) from error


verify = partial(replay.verify, rules_of=rules_of)
"""Check the content of a replay file, see ``core.replay.verify``."""
positions = partial(replay.positions, rules_of=rules_of)
"""Yield the states and actions of a recorded match, see ``core.replay.positions``."""
