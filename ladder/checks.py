"""What is wrong with the settings is told when a command starts, and not when the first match needs them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Error, register
from django.core.exceptions import ImproperlyConfigured

from ladder.selectors.games import limits_installed


@register
def limits_can_be_given(**_: Any) -> list[Error]:
    """Check that workers give what ``BOT_LIMITS`` and the games ask for."""
    unknown = sorted(set(settings.BOT_LIMITS) - set(settings.GAMES))
    errors = [Error(f"BOT_LIMITS names {game}, which is none of GAMES.", id="ladder.E002") for game in unknown]
    for game in settings.GAMES:
        try:
            limits_installed(game=game)
        except ImproperlyConfigured as error:
            errors.append(Error(str(error), id="ladder.E001"))
    return errors
