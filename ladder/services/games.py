"""Opens, pauses and freezes games, and sets their deadlines and limits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from common.queries.cached import cached_changed
from ladder.models import GameSetting
from ladder.selectors.games import game_card, limits_installed
from ladder.services.closing import closed_accounts_withdraw
from wire.jobs import BotLimits

State = GameSetting.State
ACTS = {"open": State.OPEN, "pause": State.PAUSED, "freeze": State.FROZEN}
"""The commands of ``manage.py games`` and the states that they set."""
REASON_CHARS_MAX = 500


def game_settings_ensure() -> None:
    """Create the ``GameSetting`` row of each game that has none, so that the admin lists all games."""
    GameSetting.objects.bulk_create((GameSetting(game=name) for name in settings.GAMES), ignore_conflicts=True)


@transaction.atomic
def game_transition(*, game: str, to: State, actor: User | None, reason: str = "") -> None:
    """Open, pause or freeze a game, or change the stated reason; the only code that writes ``GameSetting.state``.

    Queued and running matches and builds go on. But a version whose build ends while its game is frozen does not
    replace the version on the board. When a game stops being frozen, the bots of accounts that were closed meanwhile
    are withdrawn.

    Args:
        game: name of the game.
        to: its new state.
        actor: the administrator; None for the command line.
        reason: shown to everybody while the game is paused or frozen; for an open game only the audit log holds it.

    Raises:
        InputError: the arena has no such game, the game is in this state already and the reason is not a new one, or
            the reason is too long.
    """
    setting, reason = _setting_locked(game), reason.strip()
    if setting.state == to and (to == State.OPEN or reason in ("", setting.reason)):
        raise InputError(_("This game is in this state already: %(state)s.") % {"state": setting.get_state_display()})
    if len(reason) > REASON_CHARS_MAX:
        raise InputError(_("Please give the reason in at most %(max)d characters.") % {"max": REASON_CHARS_MAX})
    if setting.state == State.FROZEN and to != State.FROZEN:
        closed_accounts_withdraw(game=game)
    setting.state, setting.reason = to, "" if to == State.OPEN else reason
    setting.save()
    audit_write(actor=actor, act="game_transition", target=f"{game}: {to}", reason=reason)
    cached_changed()


@transaction.atomic
def game_deadline_set(*, game: str, until: datetime | None, actor: User | None) -> None:
    """Set the deadline for uploads to a game. Matches go on after it, so that the last uploads get ratings, too.

    Args:
        game: name of the game.
        until: the first moment that is too late, with a time zone, may lie in the past; None for no deadline.
        actor: the administrator; None for the command line.

    Raises:
        InputError: the arena has no such game.
    """
    setting = _setting_locked(game)
    setting.uploads_until = until
    setting.save()
    audit_write(actor=actor, act="game_deadline_set", target=f"{game}: {until.isoformat() if until else 'none'}")
    cached_changed()


@transaction.atomic
def game_limits_set(*, game: str, limits: Mapping[str, int], actor: User | None) -> None:
    """Set the limits of a game's bots for matches that are handed out from now on.

    Args:
        game: name of the game.
        limits: values by field names of ``wire.jobs.BotLimits``; all other limits are reset to the installation's.
        actor: the administrator; None for the command line.

    Raises:
        InputError: the arena has no such game, or a limit is unknown or out of its range.
    """
    setting = _setting_locked(game)
    try:
        msgspec.convert({**msgspec.to_builtins(limits_installed(game=game)), **limits}, BotLimits)
    except msgspec.ValidationError as error:
        raise InputError(_("These limits cannot be given: %(error)s.") % {"error": error}) from error
    setting.limits = dict(limits)
    setting.save()
    chosen = ", ".join(f"{name}={value}" for name, value in limits.items())
    audit_write(actor=actor, act="game_limits_set", target=f"{game}: {chosen or 'as installed'}")
    cached_changed()


def _setting_locked(game: str) -> GameSetting:
    if game_card(name=game) is None:
        raise InputError(_("There is no such game here. Please choose one of the list."))
    return GameSetting.objects.select_for_update().get_or_create(game=game)[0]
