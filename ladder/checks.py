"""What is wrong with the settings is told when a command starts, and not when the first match needs them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Error, register
from django.core.exceptions import ImproperlyConfigured

import core
from ladder.selectors.games import limits_installed


@register
def games_are_known(**_: Any) -> list[Error]:
    """Check that ``GAMES`` names games that there are."""
    if not settings.GAMES:
        return [Error("GAMES names no game; leave it out for all games.", id="ladder.E004")]
    unknown = sorted(set(settings.GAMES) - set(core.games()))
    known = ", ".join(core.games())
    return [
        Error(f"GAMES names {name}, but there is no such game; there are: {known}.", id="ladder.E003")
        for name in unknown
    ]


@register
def limits_can_be_given(**_: Any) -> list[Error]:
    """Check that workers give what ``BOT_LIMITS`` and the games ask for."""
    unknown = sorted(set(settings.BOT_LIMITS) - set(settings.GAMES))
    errors = [Error(f"BOT_LIMITS names {game}, which is none of GAMES.", id="ladder.E002") for game in unknown]
    for game in (name for name in settings.GAMES if name in core.games()):
        try:
            limits_installed(game=game)
        except ImproperlyConfigured as error:
            errors.append(Error(str(error), id="ladder.E001"))
    return errors
