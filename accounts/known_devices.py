"""Browsers and IP addresses from which a user has signed in before: wrong passwords there have limits of their own.

These are device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"). The attack they stop: by one
wrong password a minute somebody locks out a rival or an administrator, since a limit for the account refuses everybody.
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
"""How many seconds an IP address is remembered after a sign-in."""


def device_remember(response: HttpResponse, *, username: str) -> None:
    """Set the cookie on ``response`` by which this user's browser is known the next time."""
    response.set_signed_cookie(
        COOKIE,
        quote(username),  # headers are ASCII, but administrators can create names with any letters
        salt=__name__,
        max_age=COOKIE_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def guesses_key(request: HttpRequest, *, key: str, username: str) -> str:
    """Return the key under which attempts to sign in to an account are counted.

    It is ``key`` for strangers, and another one for a browser with which the user has signed in before.
    """
    return f"{key}:known" if device_is_known(request, username=username) else key


def device_is_known(request: HttpRequest, *, username: str) -> bool:
    """Return whether this user has signed in with the browser of the request before."""
    known = unquote(request.get_signed_cookie(COOKIE, default="", salt=__name__) or "")
    return bool(known) and known.lower() == username.lower()


def address_remember(request: HttpRequest, *, username: str) -> None:
    """Remember the IP address of a request that had the right password, for programs, which store no cookie."""
    cache.set(_address_key(request, username), True, ADDRESS_SECONDS)


def address_is_known(request: HttpRequest, *, username: str) -> bool:
    """Return whether the right password of this account has come from the request's IP address before."""
    return bool(cache.get(_address_key(request, username)))


def _address_key(request: HttpRequest, username: str) -> str:
    # A hash, since names may have letters that are not allowed in keys of a cache.
    pair = f"{username.lower()} {visitor_of(request)}"
    return f"known_address:{hashlib.sha256(pair.encode()).hexdigest()}"
