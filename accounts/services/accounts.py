"""Acts of administrators on accounts, and the end of an account's sessions and tokens."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.mails import owner_notify
from accounts.models import User
from accounts.services.audit import audit_write
from common.errors import InputError
from common.signals import credentials_changed


@transaction.atomic
def account_uploads_stop(*, user: User, actor: User | None, reason: str) -> None:
    """Forbid an account to upload; its bots go on playing until they are withdrawn.

    Args:
        user: the account.
        actor: the administrator; None: the command line.
        reason: shown to the owner at the next upload.

    Raises:
        InputError: no reason was given.
    """
    if not reason.strip():
        raise InputError(_("Give a reason: the owner of the account will read it."))
    _uploads_stopped_set(user, reason.strip())
    audit_write(actor=actor, act="account_uploads_stop", target=user.get_username(), reason=reason)


@transaction.atomic
def account_uploads_allow(*, user: User, actor: User | None, reason: str = "") -> None:
    """Allow an account to upload again.

    Raises:
        InputError: the account may upload already.
    """
    if not User.objects.filter(pk=user.pk).exclude(uploads_stopped="").exists():
        raise InputError(_("This account may upload already."))
    _uploads_stopped_set(user, "")
    audit_write(actor=actor, act="account_uploads_allow", target=user.get_username(), reason=reason)


@transaction.atomic
def account_two_factor_off(*, user: User, actor: User | None, reason: str = "") -> None:
    """Turn two-factor authentication off for an account whose owner has lost both phone and recovery codes.

    Deletes the recovery codes, too: otherwise they would be valid again beside the owner's next phone.

    Raises:
        InputError: the account has no two-factor authentication.
    """
    if not Authenticator.objects.filter(user=user).delete()[0]:
        raise InputError(_("This account has no two-factor authentication."))
    account_sessions_end(user=user)
    audit_write(actor=actor, act="account_two_factor_off", target=user.get_username(), reason=reason)
    transaction.on_commit(lambda: _two_factor_off_notify(user))


def _two_factor_off_notify(user: User) -> None:
    # The attack: somebody who has only the password tells an administrator that he is the owner and lost his phone.
    with override(settings.LANGUAGE_CODE):  # not in the administrator's language
        text = _(
            "Hello %(name)s,\n\nan administrator has turned off two-factor authentication for your account: it signs in"
            " by its password alone now, and all its sessions and API tokens have ended.\n\nIf you did not ask for"
            " this, please set a new password, turn it on again, and tell the administrators."
        )
        subject = _("Two-factor authentication is off for your account")
    owner_notify(user=user, kind="two_factor_off", subject=subject, text=text % {"name": user.get_username()})


@transaction.atomic
def account_sessions_end(*, user: User) -> None:
    """End all sessions and tokens of an account, as a new password does, after a change of how it signs in.

    The attack it stops: somebody is signed in with the stolen password, and stays so when the owner turns two-factor
    authentication on to keep him out.
    """
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended"])
    credentials_changed.send(sender=User, user=user)


def _uploads_stopped_set(user: User, reason: str) -> None:
    # Uploads take the same lock, so none can slip through meanwhile.
    locked = User.objects.select_for_update().get(pk=user.pk)
    locked.uploads_stopped = reason[:500]
    locked.save(update_fields=["uploads_stopped"])
