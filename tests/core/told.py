"""What readers see of the events of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.game import Event, Game, IllegalAnswer
from games.words import ENGLISH, words_of

NAMES = ("Ann", "Bob", "Cid", "Dan")
"""Names of the bots by seat."""


def told(game: Game[Any], events: Sequence[Event]) -> list[str]:
    """Return the sentence of each event."""
    return [words_of(game.name, ENGLISH).sentence(event, NAMES) for event in events]


def refused(game: Game[Any], state: Any, seat: int, lines: Sequence[str]) -> str:
    """Return why the game refuses an answer."""
    with pytest.raises(IllegalAnswer) as caught:
        game.parse(state, 0, seat, lines)
    return words_of(game.name, ENGLISH).sentence(caught.value.message)
