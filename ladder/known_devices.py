"""Browsers in which somebody has signed in before: whose guesses are counted apart from those of strangers."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE = "known"
COOKIE_SECONDS = 365 * 24 * 3600


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth brings no types
    """allauth's, with device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").

    The attack it stops: wrong passwords for a rival or an administrator, one a minute, kept all the world from signing
    in under that name.
    """

    def post_login(self, request: HttpRequest, user: Any, **options: Any) -> HttpResponse:
        """Answer whoever has signed in, and know the browser the next time."""
        response: HttpResponse = super().post_login(request, user, **options)
        response.set_signed_cookie(
            COOKIE,
            user.get_username(),
            salt=__name__,
            max_age=COOKIE_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return response

    def set_password(self, user: Any, password: str) -> None:
        """Set a password, and save nothing else of an account that was read before the old one was checked.

        The attack it stops: whoever was turned off, or was made no administrator any more, in the second that hashing
        takes, was what he had been before.
        """
        user.set_password(password)
        user.save(update_fields=["password"])

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        key: str = super()._get_login_attempts_cache_key(request, **credentials)
        known = request.get_signed_cookie(COOKIE, default="", salt=__name__)
        return f"{key}:known" if known and known.lower() == credentials.get("username", "").lower() else key
