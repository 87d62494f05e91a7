"""Closes accounts for ever."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import Notification, User
from accounts.services.audit import audit_write
from common.errors import InputError
from common.signals import account_closed

CLOSED = "closed "
"""The beginning of the user name of a closed account; it holds a space, which no user can choose."""
NEVER_CLOSED = _("The accounts of administrators and of the house bots cannot be closed.")


@transaction.atomic
def account_close(*, user: User, actor: User, reason: str = "") -> None:
    """Close an account for ever: end its sign-in, and delete personal data here and, by a signal, in the apps above.

    The actor is the user, or an administrator on the user's request. The audit log keeps the user name that the account
    had. The sections of the export say what is deleted and what stays (``accounts.exports``).

    Raises:
        InputError: the account belongs to an administrator, or an app above refuses to close it.
    """
    owner = User.objects.select_for_update(no_key=True).get(pk=user.pk)  # uploads wait for this lock, too
    if owner.is_staff:
        raise InputError(str(NEVER_CLOSED))
    account_closed.send(sender=None, user=owner)
    audit_write(actor=actor, act="account_close", target=owner.get_username(), reason=reason)
    Authenticator.objects.filter(user=owner).delete()
    EmailAddress.objects.filter(user=owner).delete()
    SocialAccount.objects.filter(user=owner).delete()
    Notification.objects.filter(reader=owner).delete()
    owner.username = f"{CLOSED}{owner.pk}"
    owner.email = owner.first_name = owner.last_name = owner.mail_language = ""
    owner.affiliation = owner.about = ""
    owner.uploads_stopped, owner.is_active, owner.last_login = "closed", False, None
    owner.set_unusable_password()  # ends sessions and tokens
    owner.save()
