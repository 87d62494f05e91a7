"""Closing accounts for ever."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Notification, User
from accounts.services.audit import audit_write
from common.errors import InputError
from ladder.models import BotVersion, GameSetting
from ladder.selectors.bots import LIVE_STATES
from ladder.services.versions import bots_lock, version_transition

_CLOSED = "closed "
"""What the name of a closed account begins with; with a space, so that nobody has taken it."""


@transaction.atomic
def account_close(*, user: User, actor: User, reason: str = "") -> None:
    """Close an account for ever: nobody signs in by it, its bots are withdrawn, and nothing tells whose they were.

    On a frozen board they keep their places until the game is opened or paused.

    Matches and bots stay, under the names of the bots: what others have reached rests on them. The audit log keeps the
    name that the account had.

    Args:
        user: whose.
        actor: the owner, or an administrator who was asked to.
        reason: for the audit log.

    Raises:
        InputError: an administrator's, or that of the house bots.
    """
    owner = User.objects.select_for_update(no_key=True).get(pk=user.pk)  # as an upload: none slips through
    if owner.is_staff or owner.bots.filter(is_house=True).exists():
        raise InputError(_("The accounts of administrators and of the house bots cannot be closed."))
    # Locked: who opens a game just now would not find those that are left for it.
    frozen = GameSetting.objects.select_for_update(no_key=True).filter(state=GameSetting.State.FROZEN).order_by("pk")
    kept = Q(bot__game__in=[setting.game for setting in frozen], state__in=BotVersion.ON_BOARD)
    bots_lock(pks=owner.bots.values("pk"))
    _withdraw(BotVersion.objects.filter(~kept, bot__owner=owner))
    audit_write(actor=actor, act="account_close", target=owner.get_username(), reason=reason)
    Authenticator.objects.filter(user=owner).delete()
    EmailAddress.objects.filter(user=owner).delete()
    Notification.objects.filter(reader=owner).delete()
    owner.username = f"{_CLOSED}{owner.pk}"
    owner.email = owner.first_name = owner.last_name = owner.mail_language = ""
    owner.uploads_stopped, owner.is_active = "closed", False
    owner.set_unusable_password()  # ends sessions and tokens
    owner.save()


@transaction.atomic
def closed_accounts_withdraw(*, game: str) -> None:
    """Withdraw the bots of closed accounts to which a frozen board has left their places: it is frozen no more."""
    versions = BotVersion.objects.filter(bot__game=game, bot__owner__username__startswith=_CLOSED)
    bots_lock(pks=versions.filter(state__in=LIVE_STATES).values("bot"))
    _withdraw(versions)


def _withdraw(versions: QuerySet[BotVersion]) -> None:
    for version in versions.filter(state__in=LIVE_STATES):
        version_transition(version=version, to=BotVersion.State.RETIRED)
