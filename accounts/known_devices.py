"""Browsers and addresses from which somebody has signed in before: guesses there are counted apart from strangers'.

Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The attack they stop: wrong passwords
for a rival or an administrator, one a minute, kept all the world from signing in under that name.
"""

from __future__ import annotations

import hashlib
from urllib.parse import quote, unquote

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse

from common.visitors import visitor_of

COOKIE = "known"
COOKIE_SECONDS = 365 * 24 * 3600
ADDRESS_SECONDS = 30 * 24 * 3600
"""So long an address is known after a sign-in."""


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
    return f"{key}:known" if device_is_known(request, username=username) else key


def device_is_known(request: HttpRequest, *, username: str) -> bool:
    """Tell whether somebody has signed in under this name in this browser."""
    known = unquote(request.get_signed_cookie(COOKIE, default="", salt=__name__) or "")
    return bool(known) and known.lower() == username.lower()


def address_remember(request: HttpRequest, *, username: str) -> None:
    """Know the address the next time, from which the right password has just come. Programs keep no cookie."""
    cache.set(_address_key(request, username), True, ADDRESS_SECONDS)


def address_is_known(request: HttpRequest, *, username: str) -> bool:
    """Tell whether somebody has given the right password of this account from this address."""
    return bool(cache.get(_address_key(request, username)))


def _address_key(request: HttpRequest, username: str) -> str:
    # A hash, since names have letters that keys of caches may not have.
    told = f"{username.lower()} {visitor_of(request)}"
    return f"known_address:{hashlib.sha256(told.encode()).hexdigest()}"
