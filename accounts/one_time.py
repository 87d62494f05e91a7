"""One-time passwords: made for users by somebody else, and changed by them before anything else."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.hashers import PBKDF2PasswordHasher, get_hasher
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import resolve, reverse
from django.urls.exceptions import Resolver404
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _

_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""The letters and digits of one-time passwords, without those that look alike on paper."""
_GROUPS, _GROUP_LETTERS = 3, 4
_ITERATIONS = 10_000
_WANTED = "password_once_wanted"
"""Key in the session for the page that the user wanted before the new password was asked for."""
_ALLOWED = frozenset({"account_change_password", "account_logout", "account_reauthenticate", "language", "favicon"})
"""Names of the urls that an account with a one-time password can use."""
View = TypeVar("View", bound=Callable[..., object])


def password_once() -> str:
    """Return a new one-time password of 59 bits, easy to type from paper, such as ``k3fp-x8wq-7mrt``."""
    letters = ["".join(secrets.choice(_LETTERS) for _letter in range(_GROUP_LETTERS)) for _group in range(_GROUPS)]
    return "-".join(letters)


def password_once_hash(password: str) -> str:
    """Return the hash of a one-time password, made with few iterations: hundreds of accounts are made in one request.

    That is enough for a random text. At the first sign-in Django hashes it again, as slowly as any other password.
    """
    hasher = get_hasher()
    if isinstance(hasher, PBKDF2PasswordHasher):
        return hasher.encode(password, hasher.salt(), iterations=_ITERATIONS)
    return hasher.encode(password, hasher.salt())


def wanted_page(request: HttpRequest) -> str:
    """Return the url that the user wanted before a new password was asked for, and forget it; empty: there is none."""
    return str(request.session.pop(_WANTED, ""))


class PasswordOnce(MiddlewareMixin):
    """Middleware that leads users with a one-time password to the page for a new one, whatever they ask for.

    The attack: the password lies on a sheet of paper in a classroom, or in the mailbox of the teacher, for months, and
    opens the account of somebody who never changed it.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Return a redirect, or for the API a refusal; None for all other users."""
        # Visitors without a session cost no query, and their pages do not vary by the cookie.
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or _is_allowed(request.path_info):
            return None
        user: Any = request.user
        if not user.is_authenticated or not user.password_once:
            return None
        sentence = _("Please choose a password of your own first: yours was made for you, and others may know it.")
        if request.path_info.startswith("/api/"):
            problem = {"title": "Forbidden", "status": 403, "detail": sentence}
            return JsonResponse(problem, status=403, content_type="application/problem+json")
        if request.method == "GET" and not urlsplit(request.path).netloc:
            request.session[_WANTED] = request.get_full_path()
        messages.info(request, sentence)
        return redirect(reverse("account_change_password"))


def reads_no_session(view: View) -> View:
    """Decorate a view whose answers are the same for everybody, so that they must not vary by the session's cookie."""
    view.reads_no_session = True  # type: ignore[attr-defined]
    return view


def _is_allowed(path: str) -> bool:
    if path.startswith(settings.STATIC_URL):
        return True
    try:
        found = resolve(path)
    except Resolver404:
        return True
    return found.view_name in _ALLOWED or getattr(found.func, "reads_no_session", False)
