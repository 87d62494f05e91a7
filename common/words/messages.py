"""Says messages (``core.message``) and titles of games in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import get_language

from core.message import Message
from games.words import ENGLISH, title_of, words_of


def sentence_of(message: Message | Mapping[str, Any] | None, game: str = "", bots: Sequence[str] = ()) -> str:
    """Return the sentence of a message in the reader's language.

    Args:
        message: a message, or a stored one, which is ``{"kind": .., "args": ..}``; nothing, or ``{}``: no message.
        game: name of the game that the message is about, if it is about one.
        bots: names of the bots by seat, as far as they are known.

    Returns:
        The sentence; empty if there is no message.
    """
    return words_of(game, _language()).sentence(message, bots) if message else ""


def game_title(name: str) -> str:
    """Return the title of a game in the reader's language; of a game that is not installed here, its name."""
    return title_of(name, _language())


def _language() -> str:
    return get_language() or ENGLISH
