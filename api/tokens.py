"""Tokens: what programs show instead of a password. Only a hash of each is kept."""

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
"""That one user may have: more than programs of one person, and whoever wants to fill the database stops here."""


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made."""

    token: str
    """Shown this once."""
    expires_at: datetime


def tokens_of(*, owner: User) -> list[AuthToken]:
    """Return a user's tokens that are still good, the newest first (1 query)."""
    return list(AuthToken.objects.filter(user=owner, expiry__gt=timezone.now()).order_by("-created"))


@transaction.atomic
def token_create(*, owner: User) -> NewToken:
    """Make a token.

    Raises:
        InputError: the user has as many as one may have, or signs in otherwise than a moment ago.
    """
    locked = User.objects.select_for_update().get(pk=owner.pk)  # two at once cannot both be the last
    # The attack: who knows the old password asks for a token just before the new one ends all, and gets it just after.
    if locked.get_session_auth_hash() != owner.get_session_auth_hash():
        raise InputError(_("The way you sign in has changed just now. Please sign in once more."))
    if len(tokens_of(owner=owner)) >= TOKENS_MAX:
        raise InputError(
            _("You have %(count)d tokens, as many as one user may have. Please revoke one of them first.")
            % {"count": TOKENS_MAX}
        )
    row, token = AuthToken.objects.create(user=owner)
    return NewToken(token, row.expiry)


def token_revoke(*, owner: User, begins_with: str) -> None:
    """Make a token of a user worthless. Without effect when there is none."""
    AuthToken.objects.filter(user=owner, token_key=begins_with).delete()


def tokens_end(*, user: User, **_: Any) -> None:
    """Make all tokens of a user worthless, as a new password or another second factor ends all sessions.

    The attack it stops: whoever knew the old password, or signed up with an address of somebody else who then asks for
    a new one, has made a token and goes on for a year.
    """
    AuthToken.objects.filter(user=user).delete()


class CodeWanted(InputError):  # noqa: N818 - says what is wanted
    """The account has two-factor authentication: name and password belong together, and are not enough."""


def user_by_password(*, request: HttpRequest, username: str, password: str, code: str = "") -> User | None:
    """Return who has this name and password, None for nobody; wrong ones are counted as at the form of the site.

    Args:
        request: whose address is counted.
        username: of the account.
        password: of the account.
        code: of its authenticator app, or a recovery code, if it has two-factor authentication.

    Raises:
        CodeWanted: it has, and there is no code.
        InputError: the code is wrong, or there were too many wrong ones or wrong passwords.
    """
    try:
        user = get_adapter().authenticate(request, username=username, password=password)
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from error
    if not isinstance(user, User) or not user.is_active:
        return None
    if two_factor_is_on(user):
        _second_factor_check(user, code)
    return user


def _second_factor_check(user: User, code: str) -> None:
    # The attack: a password alone, which the site's form no longer takes, makes a token that is good for a year.
    if not code:
        raise CodeWanted(
            _("This account has two-factor authentication. Send the code of its authenticator app, or a recovery code.")
        )
    code_check(user=user, code=code)
