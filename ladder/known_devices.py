"""Browsers in which somebody has signed in before: whose guesses are counted apart from those of strangers.

Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The attack they stop: wrong passwords
for a rival or an administrator, one a minute, kept all the world from signing in under that name.
"""

from __future__ import annotations

from urllib.parse import quote, unquote

from django.conf import settings
from django.http import HttpRequest, HttpResponse

COOKIE = "known"
COOKIE_SECONDS = 365 * 24 * 3600


def device_remember(response: HttpResponse, *, username: str) -> None:
    """Know the browser the next time, in which somebody has just signed in."""
    response.set_signed_cookie(
        COOKIE,
        quote(username),  # headers are ASCII, and administrators make names of any letters
        salt=__name__,
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def guesses_key(request: HttpRequest, *, key: str, username: str) -> str:
    """Return under which key wrong guesses for an account are counted.

    Args:
        request: of who guesses.
        key: that of strangers.
        username: of the account.
    """
    known = unquote(request.get_signed_cookie(COOKIE, default="", salt=__name__) or "")
    return f"{key}:known" if known and known.lower() == username.lower() else key
