"""Says who makes a request and whether that user acts as an administrator; decorators of views for users alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User

Reader = User | AnonymousUser
"""The user of a request, signed in or not."""
ViewT = TypeVar("ViewT", bound=Callable[..., Any])
TWO_FACTOR_WANTED: Promise = _(
    "Administrators of this arena need two-factor authentication. Set it up at the site, then go on."
)


def signed_in(request: HttpRequest) -> User:
    """Return the user of a request; only for views that signed-in users alone reach, since it just narrows the type."""
    assert isinstance(request.user, User)  # noqa: S101 - the view's decorator lets nobody else in
    return request.user


def administrates(reader: Reader) -> bool:
    """Return whether a user may act as an administrator now (1 query if administrators need two factors)."""
    return reader.is_active and reader.is_staff and not two_factor_missing(reader)


def two_factor_is_on(user: User) -> bool:
    """Return whether a user signs in with a code after the password (1 query)."""
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP]))


def two_factor_missing(reader: Reader) -> bool:
    """Return whether a user is an administrator who must set up two-factor authentication first (1 query if so).

    The attack it stops: somebody guesses or finds one password of an administrator, and owns the whole arena.
    """
    return settings.ADMIN_MFA_REQUIRED and isinstance(reader, User) and reader.is_staff and not two_factor_is_on(reader)


def two_factor_redirect(request: HttpRequest) -> HttpResponse:
    """Redirect an administrator to the page that sets up two-factor authentication, with a message that says why."""
    messages.warning(request, str(TWO_FACTOR_WANTED))
    return redirect("mfa_activate_totp")


# The attack that `never_cache` stops: somebody presses Back on a shared machine after the owner has signed out.
def own_page(view: ViewT) -> ViewT:
    """Decorate a view that shows a page to signed-in users (GET, never cached); others are sent to sign in."""
    return login_required(never_cache(require_safe(view)))


def own_form(view: ViewT) -> ViewT:
    """Decorate a view that shows signed-in users a form (GET) and takes it (POST); others are sent to sign in.

    Its answers are never cached.
    """
    return login_required(never_cache(require_http_methods(["GET", "HEAD", "POST"])(view)))


def own_act(view: ViewT) -> ViewT:
    """Decorate a view that does something for signed-in users (POST); others are sent to sign in."""
    return login_required(require_POST(view))
