"""What the site shows of the games themselves."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

import core


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the pages name it."""

    name: str
    """As in addresses and the core's registry."""
    title: str


def games_all() -> tuple[GameCard, ...]:
    """Return the games this arena offers."""
    return tuple(GameCard(name, core.game(name).title) for name in settings.GAMES)


def game_card(*, name: str) -> GameCard | None:
    """Return a game by its name, or None."""
    return next((card for card in games_all() if card.name == name), None)
