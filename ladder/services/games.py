"""How administrators run a game: open, paused or frozen, until when bots are taken, and with which limits."""

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
"""What administrators do, and where that leads."""
REASON_CHARS_MAX = 500


def game_settings_ensure() -> None:
    """Make the rows of games that have none, so that administrators find all of them in their list."""
    GameSetting.objects.bulk_create((GameSetting(game=name) for name in settings.GAMES), ignore_conflicts=True)


@transaction.atomic
def game_transition(*, game: str, to: State, actor: User | None, reason: str = "") -> None:
    """Open, pause or freeze a game, or tell another reason why it is so; the only code that writes ``state``.

    Matches that are in the queue or being played end as always, and so do builds; but a build that ends while its game
    is frozen does not take the place of the version on the board. Bots of accounts that were closed while it was frozen
    are withdrawn when it is so no more.

    Args:
        game: name of the game.
        to: its new state.
        actor: the administrator; None: the command line.
        reason: why, for everybody to read; of an open game it is in the audit log alone.

    Raises:
        InputError: there is no such game here, it is in this state already and no other reason is given, or the reason
            is too long.
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
    """Choose until when a game takes bots. Matches go on behind it, so that the last bots are ranked like all others.

    Args:
        game: name of the game.
        until: the first moment that is too late, with its zone, past ones too; None: bots are taken for ever.
        actor: the administrator; None: the command line.

    Raises:
        InputError: there is no such game here.
    """
    setting = _setting_locked(game)
    setting.uploads_until = until
    setting.save()
    audit_write(actor=actor, act="game_deadline_set", target=f"{game}: {until.isoformat() if until else 'none'}")
    cached_changed()


@transaction.atomic
def game_limits_set(*, game: str, limits: Mapping[str, int], actor: User | None) -> None:
    """Choose limits of a game's bots, for the matches that are handed out from now on.

    Args:
        game: name of the game.
        limits: by name (``wire.jobs.BotLimits``); what is not named is as the installation has it.
        actor: the administrator; None: the command line.

    Raises:
        InputError: there is no such game here or no such limit, or no worker gives so much or so little.
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
