"""What becomes of accounts: what administrators do to them, and how sessions and tokens end."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from ladder.errors import InputError
from ladder.mails import owner_tell
from ladder.models import BotVersion, GameSetting, Notification, User
from ladder.selectors.bots import LIVE_STATES
from ladder.services.audit import audit_write
from ladder.services.versions import bots_lock, version_transition
from ladder.signals import credentials_changed

_CLOSED = "closed "
"""What the name of a closed account begins with; with a space, so that nobody has taken it."""


@transaction.atomic
def account_uploads_stop(*, user: User, actor: User | None, reason: str) -> None:
    """Let an account upload nothing more; its bots play on until they are withdrawn.

    Args:
        user: whose account.
        actor: the administrator; None: the command line.
        reason: the owner will read it instead of the next upload's progress.

    Raises:
        InputError: no reason was given.
    """
    if not reason.strip():
        raise InputError(_("Give a reason: the owner of the account will read it."))
    _uploads_stopped_set(user, reason.strip())
    audit_write(actor=actor, act="account_uploads_stop", target=user.get_username(), reason=reason)


@transaction.atomic
def account_uploads_allow(*, user: User, actor: User | None, reason: str = "") -> None:
    """Let an account upload again.

    Raises:
        InputError: it may already.
    """
    if not User.objects.filter(pk=user.pk).exclude(uploads_stopped="").exists():
        raise InputError(_("This account may upload already."))
    _uploads_stopped_set(user, "")
    audit_write(actor=actor, act="account_uploads_allow", target=user.get_username(), reason=reason)


@transaction.atomic
def account_two_factor_off(*, user: User, actor: User | None, reason: str = "") -> None:
    """Let an account sign in by its password alone again: its owner has lost both phone and recovery codes.

    All of it goes: recovery codes that were left would count once more beside the next phone.

    Raises:
        InputError: it does so already.
    """
    if not Authenticator.objects.filter(user=user).delete()[0]:
        raise InputError(_("This account has no two-factor authentication."))
    account_sessions_end(user=user)
    audit_write(actor=actor, act="account_two_factor_off", target=user.get_username(), reason=reason)
    transaction.on_commit(lambda: _two_factor_off_tell(user))


def _two_factor_off_tell(user: User) -> None:
    # The attack: somebody who has the password alone tells an administrator that he is the owner, and lost his phone.
    with override(settings.LANGUAGE_CODE):  # not the administrator's
        text = _(
            "Hello %(name)s,\n\nan administrator has turned off two-factor authentication for your account: it signs in"
            " by its password alone now, and all its sessions and API tokens have ended.\n\nIf you did not ask for"
            " this, please set a new password, turn it on again, and tell the administrators."
        )
        subject = _("Two-factor authentication is off for your account")
    owner_tell(user=user, kind="two_factor_off", subject=subject, text=text % {"name": user.get_username()})


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


@transaction.atomic
def account_sessions_end(*, user: User) -> None:
    """End all sessions and tokens of an account as a new password does: how it signs in has changed.

    The attack it stops: whoever is in already, by the password alone, stays so when the owner turns two-factor
    authentication on to keep him out.
    """
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended"])
    credentials_changed.send(sender=User, user=user)


def _uploads_stopped_set(user: User, reason: str) -> None:
    # Under the lock of an upload, so that none slips through.
    locked = User.objects.select_for_update().get(pk=user.pk)
    locked.uploads_stopped = reason[:500]
    locked.save(update_fields=["uploads_stopped"])
