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

from ladder.errors import InputError
from ladder.models import User

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
        InputError: the user has as many as one may have.
    """
    User.objects.select_for_update().get(pk=owner.pk)  # two at once cannot both be the last
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
    """Make all tokens of a user worthless, as a new password ends all sessions.

    The attack it stops: whoever knew the old password, or signed up with an address of somebody else who then asks for
    a new one, has made a token and goes on for a year.
    """
    AuthToken.objects.filter(user=user).delete()


def user_by_password(*, request: HttpRequest, username: str, password: str) -> User | None:
    """Return who has this name and password, None for nobody; wrong ones are counted as at the form of the site.

    Raises:
        InputError: too many wrong ones.
    """
    try:
        user = get_adapter().authenticate(request, username=username, password=password)
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from error
    return user if isinstance(user, User) and user.is_active else None
