"""Who asks."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User

Reader = User | AnonymousUser
"""Whoever looks at a page."""
TWO_FACTOR_WANTED: Promise = _(
    "Administrators of this arena need two-factor authentication. Set it up at the site, then go on."
)


def signed_in(request: HttpRequest) -> User:
    """Return who asks, in views that let nobody in who is not signed in; behind their guard, so it only tells types."""
    assert isinstance(request.user, User)  # noqa: S101 - the guard has seen to it
    return request.user


def administrates(reader: Reader) -> bool:
    """Say whether somebody may act as an administrator now (1 query if those need two factors)."""
    return reader.is_active and reader.is_staff and not two_factor_missing(reader)


def two_factor_is_on(user: User) -> bool:
    """Say whether somebody signs in with a code besides the password (1 query)."""
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP]))


def two_factor_missing(reader: Reader) -> bool:
    """Say whether an administrator has to set up two-factor authentication before he acts as one.

    The attack it stops: the one password of an administrator, guessed or read somewhere, is the whole arena.
    """
    return settings.ADMIN_MFA_REQUIRED and isinstance(reader, User) and reader.is_staff and not two_factor_is_on(reader)


def two_factor_redirect(request: HttpRequest) -> HttpResponse:
    """Send an administrator to where two-factor authentication is set up, and say why."""
    messages.warning(request, str(TWO_FACTOR_WANTED))
    return redirect("mfa_activate_totp")
