"""The English sentences of messages, for tests that check what people read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.message import Message
from games.words import ENGLISH, words_of


def english(message: Message | Mapping[str, Any] | None, game: str = "") -> str:
    """Return the English sentence of a message or of a stored one; empty if there is none."""
    return words_of(game, ENGLISH).sentence(message) if message else ""
