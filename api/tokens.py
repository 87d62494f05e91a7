"""API tokens, which programs send instead of a password. The database stores only a hash of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from knox.models import AuthToken

from accounts.access import two_factor_is_on
from accounts.models import User
from accounts.two_factor import code_check
from common.errors import InputError

TOKENS_MAX = 20
"""Tokens that one user may have at a time; the limit keeps a user from filling the database."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new token, with its secret."""

    token: str
    """The secret; it cannot be read again later."""
    expires_at: datetime


def tokens_of(*, owner: User) -> list[AuthToken]:
    """Return a user's valid tokens, newest first (1 query)."""
    return list(AuthToken.objects.filter(user=owner, expiry__gt=timezone.now()).order_by("-created"))


@transaction.atomic
def token_create(*, owner: User) -> NewToken:
    """Make a token for a user.

    Raises:
        InputError: the user has ``TOKENS_MAX`` tokens already, has a one-time password, or the user's password has
            changed since the request was authenticated.
    """
    locked = User.objects.select_for_update().get(pk=owner.pk)  # requests at the same time cannot pass the limit
    # The attack: somebody who knows the old password asks for a token just before the password change revokes all
    # tokens, and gets the token just after it.
    if locked.get_session_auth_hash() != owner.get_session_auth_hash():
        raise InputError(_("The way you sign in has changed just now. Please sign in once more."))
    if locked.password_once:
        raise InputError(_("Please sign in at the site and choose a password of your own first."))
    if len(tokens_of(owner=owner)) >= TOKENS_MAX:
        raise InputError(
            _("You have %(count)d tokens, as many as one user may have. Please revoke one of them first.")
            % {"count": TOKENS_MAX}
        )
    row, token = AuthToken.objects.create(user=owner)
    return NewToken(token, row.expiry)


def token_revoke(*, owner: User, begins_with: str) -> None:
    """Revoke a user's token by its ``token_key``, its first characters; without effect when the user has none such."""
    AuthToken.objects.filter(user=owner, token_key=begins_with).delete()


def tokens_revoke_all(*, user: User, **_: Any) -> None:
    """Revoke all tokens of a user; a receiver of ``credentials_changed``, which also ends all sessions.

    The attack: somebody who knew the old password, or who signed up with another person's mail address before that
    person reset the password, made a token and could use it for a year.
    """
    AuthToken.objects.filter(user=user).delete()


class CodeWanted(InputError):  # noqa: N818 - says what is wanted
    """Name and password are right, but the account has two-factor authentication and no code was sent."""


def user_by_password(*, request: HttpRequest, username: str, password: str, code: str = "") -> User | None:
    """Return the active user with this name and password; None if there is none.

    Failed attempts count for the same limit as those at the site's sign-in form. For a user with two-factor
    authentication ``code`` must be a code of the authenticator app, or a recovery code.

    Raises:
        CodeWanted: the user has two-factor authentication, and ``code`` is empty.
        InputError: the code is wrong, or there were too many failed attempts.
    """
    try:
        user = get_adapter().authenticate(request, username=username, password=password)
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from error
    if not isinstance(user, User) or not user.is_active:
        return None
    # The attack: a password alone, which the site's sign-in form does not accept, makes a token that lasts a year.
    if two_factor_is_on(user):
        if not code:
            sentence = _(
                "This account has two-factor authentication. Send the code of its authenticator app, or a recovery"
                " code."
            )
            raise CodeWanted(sentence)
        code_check(user=user, code=code)
    return user
