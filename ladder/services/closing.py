"""Closes accounts for ever."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Notification, User
from accounts.services.audit import audit_write
from common.errors import InputError
from common.signals import account_closed
from contests.models import Contest, Invitation, Member
from contests.services.teams import teams_leave
from ladder.models import BotVersion, Follow
from ladder.selectors.bots import LIVE_STATES
from ladder.services.bots import bots_lock
from ladder.services.versions import version_transition

_CLOSED = "closed "
"""The beginning of the user name of a closed account; it holds a space, which no user can choose."""


@transaction.atomic
def account_close(*, user: User, actor: User, reason: str = "") -> None:
    """Close an account for ever: end its sign-in, leave its teams, withdraw its bots, and delete personal data.

    Bots on a frozen board keep their places until the contest is opened or paused.

    Matches and bots stay, under the names of the bots, since the ratings of others depend on them. The audit log keeps
    the user name that the account had. ``ladder.selectors.closing`` says to its owner what is deleted and what stays.

    Args:
        user: the user whose account is closed.
        actor: the user, or an administrator on the user's request.
        reason: a text for the audit log.

    Raises:
        InputError: the account belongs to an administrator or owns the house bots.
    """
    owner = User.objects.select_for_update(no_key=True).get(pk=user.pk)  # uploads wait for this lock, too
    if owner.is_staff or owner.bots.filter(is_house=True).exists():
        raise InputError(_("The accounts of administrators and of the house bots cannot be closed."))
    # Locked, so that `contest_transition` opens a contest either before this reads its state, or after the account is
    # closed.
    over = (Contest.State.FROZEN, Contest.State.ARCHIVED)
    frozen = Contest.objects.select_for_update(no_key=True).filter(state__in=over).order_by("pk")
    on_frozen_board = Q(bot__contest__in=list(frozen), state__in=BotVersion.ON_BOARD)
    Member.objects.filter(user=owner).delete()
    Invitation.objects.filter(created_by=owner).delete()
    teams_leave(user=owner)  # teams keep their bots
    bots_lock(pks=owner.bots.values("pk"))
    _withdraw(BotVersion.objects.filter(~on_frozen_board, bot__owner=owner))
    audit_write(actor=actor, act="account_close", target=owner.get_username(), reason=reason)
    Authenticator.objects.filter(user=owner).delete()
    EmailAddress.objects.filter(user=owner).delete()
    SocialAccount.objects.filter(user=owner).delete()
    Notification.objects.filter(reader=owner).delete()
    Follow.objects.filter(Q(follower=owner) | Q(person=owner)).delete()
    account_closed.send(sender=None, user=owner)
    owner.username = f"{_CLOSED}{owner.pk}"
    owner.email = owner.first_name = owner.last_name = owner.mail_language = ""
    owner.affiliation = owner.about = ""
    owner.uploads_stopped, owner.is_active, owner.last_login = "closed", False, None
    owner.set_unusable_password()  # ends sessions and tokens
    owner.save()


@transaction.atomic
def closed_accounts_withdraw(*, contest: str) -> None:
    """Withdraw the bots of closed accounts that kept their places on a board until it is not frozen any more."""
    versions = BotVersion.objects.filter(bot__contest=contest, bot__owner__username__startswith=_CLOSED)
    bots_lock(pks=versions.filter(state__in=LIVE_STATES).values("bot"))
    _withdraw(versions)


def _withdraw(versions: QuerySet[BotVersion]) -> None:
    for version in versions.filter(state__in=LIVE_STATES):
        version_transition(version=version, to=BotVersion.State.RETIRED)
