"""Acts of administrators on accounts, new names, and the end of an account's sessions and tokens."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.mails import owner_notify
from accounts.models import ABOUT_MAX, AFFILIATION_MAX, User
from accounts.services.audit import audit_write
from common.edits import edit_check
from common.errors import InputError
from common.signals import credentials_changed


@transaction.atomic
def account_uploads_stop(*, user: User, actor: User | None, reason: str) -> None:
    """Forbid an account to upload, for ``reason``, which its owner reads at the next upload; its bots go on playing.

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
def account_rename(*, user: User, name: str) -> None:
    """Give a user another name, at the user's own wish, and notify the user by mail. Others may take the old name then.

    The audit log keeps the old name. The rules are those of sign-up, but capitals of the own name may change.

    Raises:
        InputError: the name is not allowed, is the user's already, or is taken; or the user's own is reserved, such as
            that of the house bots' owner; or the account is closed.
    """
    owner = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    old = owner.get_username()
    if not owner.is_active or old.lower() in settings.ACCOUNT_USERNAME_BLACKLIST:
        raise InputError(_("This account keeps its name."))
    if name == old:
        raise InputError(_("This is your name already."))
    audit_write(actor=owner, act="account_rename", target=f"{old}: {name}")
    try:
        # Shallow: allauth does not look whether it is taken, so that the capitals of the own name can be changed.
        owner.username = get_adapter().clean_username(name, shallow=name.lower() == old.lower())
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from error
    try:
        with transaction.atomic():
            owner.save(update_fields=["username"])
    except IntegrityError as error:  # somebody has just taken it
        raise InputError(get_adapter().error_messages["username_taken"]) from error
    transaction.on_commit(lambda: _rename_notify(owner, old))


def _rename_notify(user: User, old: str) -> None:
    # The attack: at a browser left open somebody renames the account, whose owner cannot sign in by the old name.
    text = _(
        "Hello %(name)s,\n\nyour account was called %(old)s until now. Sign in by the new name from now on; your"
        " password stays.\n\nIf it was not you who changed it, please set a new password, and tell the administrators."
    )
    values = {"name": user.get_username(), "old": old}
    owner_notify(user=user, kind="renamed", subject=_("Your account has another name"), text=text % values)


PROFILE_FIELDS = ("affiliation", "about")


@transaction.atomic
def profile_change(*, user: User, affiliation: str, about: str, read: str = "") -> None:
    """Change what a user's public profile says beside the user's bots; empty texts say nothing.

    The affiliation is kept in one line, ``about`` is Markdown. ``read`` is the ``edit_mark`` of ``PROFILE_FIELDS`` that
    a form has shown; empty: there was no form.

    Raises:
        InputError: a text is too long.
        EditedError: the profile was changed since the form was shown, as in another tab.
    """
    affiliation, about = " ".join(affiliation.split()), about.strip()
    for text, limit in ((affiliation, AFFILIATION_MAX), (about, ABOUT_MAX)):
        if len(text) > limit:
            words = {"length": len(text), "limit": limit}
            raise InputError(_("Shorten the text: it has %(length)d characters, at most %(limit)d are kept.") % words)
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    edit_check(row=locked, names=PROFILE_FIELDS, mark=read)
    User.objects.filter(pk=user.pk).update(affiliation=affiliation, about=about)


@transaction.atomic
def profile_clear(*, user: User, actor: User | None, reason: str = "") -> None:
    """Delete what a user wrote on the public profile, because it offends or advertises.

    Raises:
        InputError: the profile has no text.
    """
    locked = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not (locked.affiliation or locked.about):
        raise InputError(_("This profile has no text."))
    locked.affiliation = locked.about = ""
    locked.save(update_fields=["affiliation", "about"])
    audit_write(actor=actor, act="profile_clear", target=user.get_username(), reason=reason)


@transaction.atomic
def account_sessions_end(*, user: User) -> None:
    """End all sessions and tokens of an account, as a new password does, after a change of how it signs in.

    The attack it stops: somebody is signed in with the stolen password, and stays so when the owner turns two-factor
    authentication on to keep him out.
    """
    User.objects.filter(pk=user.pk).update(sessions_ended=F("sessions_ended") + 1)
    user.refresh_from_db(fields=["sessions_ended"])
    credentials_changed.send(sender=User, user=user)


def sessions_forget() -> int:
    """Delete the expired sessions, since every sign-in creates one; return how many were deleted."""
    return Session.objects.filter(expire_date__lt=timezone.now()).delete()[0]


def _uploads_stopped_set(user: User, reason: str) -> None:
    # Uploads take the same lock, so none can slip through meanwhile.
    locked = User.objects.select_for_update().get(pk=user.pk)
    locked.uploads_stopped = reason[:500]
    locked.save(update_fields=["uploads_stopped"])
