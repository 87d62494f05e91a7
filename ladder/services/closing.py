"""What becomes of bots when the account of their owner is closed."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from accounts.models import User
from accounts.services.closing import CLOSED, NEVER_CLOSED
from common.errors import InputError
from contests.services.closing import contests_over_locked
from ladder.models import BotVersion, Follow
from ladder.selectors.bots import LIVE_STATES
from ladder.services.bots import bots_lock
from ladder.services.versions import versions_withdraw


def bots_of_closed_withdraw(*, user: User, **_signal: Any) -> None:
    """Withdraw the bots of a user, and forget who follows whom; a receiver of ``account_closed``.

    Bots on a frozen board keep their places until the contest is opened or paused. Matches and bots stay, under the
    names of the bots, since the ratings of others depend on them.

    Raises:
        InputError: the account owns the house bots.
    """
    if user.bots.filter(is_house=True).exists():
        raise InputError(str(NEVER_CLOSED))
    on_frozen_board = Q(bot__contest__in=list(contests_over_locked()), state__in=BotVersion.ON_BOARD)
    bots_lock(pks=user.bots.values("pk"))
    versions_withdraw(BotVersion.objects.filter(~on_frozen_board, bot__owner=user))
    Follow.objects.filter(Q(follower=user) | Q(person=user)).delete()


def closed_accounts_withdraw(*, contest: str, **_signal: Any) -> None:
    """Withdraw the bots of closed accounts that kept their places on a board; a receiver of ``contest_unfrozen``."""
    versions = BotVersion.objects.filter(bot__contest=contest, bot__owner__username__startswith=CLOSED)
    bots_lock(pks=versions.filter(state__in=LIVE_STATES).values("bot"))
    versions_withdraw(versions)
