"""What the site shows of the games themselves."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

import core
from workers.jobs import BotLimits


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the pages name it."""

    name: str
    """As in addresses and the core's registry."""
    title: str
    limits: BotLimits
    """What each bot may use, beside its time."""


def games_all() -> tuple[GameCard, ...]:
    """Return the games this arena offers."""
    return tuple(GameCard(name, core.game(name).title, bot_limits(game=name)) for name in settings.GAMES)


def game_card(*, name: str) -> GameCard | None:
    """Return a game by its name, or None."""
    return next((card for card in games_all() if card.name == name), None)


def bot_limits(*, game: str) -> BotLimits:
    """Return what each bot of a game may use here: what the arena is set to, else the game declares, else any bot has.

    Raises:
        ImproperlyConfigured: the setting names a limit that there is not, or a value that no worker gives.
    """
    chosen = {**core.game(game).bot_limits, **settings.BOT_LIMITS.get(game, {})}
    try:
        return msgspec.convert(chosen, BotLimits)
    except msgspec.ValidationError as error:
        raise ImproperlyConfigured(f"BOT_LIMITS for {game} cannot be given: {error}.") from error
