"""Who asks, and how often one may."""

from __future__ import annotations

import time
from typing import Any

from allauth.core.internal.ratelimit import consume, get_cache_key, get_rates
from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest
from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, BaseThrottle, SimpleRateThrottle, UserRateThrottle
from rest_framework.views import APIView

from accounts.access import TWO_FACTOR_WANTED, two_factor_missing
from common.visitors import visitor_of
from fleet.access import is_staff


class BearerAuthentication(TokenAuthentication):  # type: ignore[misc]  # knox brings no types
    """A token as ``Authorization: Bearer TOKEN``."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the user and the token; None where no token is shown.

        Raises:
            AuthenticationFailed: it is no token of ours, or none any more.
        """
        try:
            user_and_token: tuple[Any, Any] | None = super().authenticate(request)
        except AuthenticationFailed as error:
            sentence = _(
                "This is no token of ours, or none any more. Make another on the page API tokens, and send it as"
                " `Authorization: Bearer TOKEN`."
            )
            raise AuthenticationFailed(sentence) from error
        return user_and_token

    def authenticate_credentials(self, token: bytes) -> tuple[Any, Any]:
        """Return the user and the token, whatever bytes stand in the header.

        Raises:
            AuthenticationFailed: it is no token of ours, or none any more.
        """
        if not token.replace(b"_", b"").isalnum():
            raise AuthenticationFailed
        user_and_token: tuple[Any, Any] = super().authenticate_credentials(token)
        return user_and_token


class IsStaff(BasePermission):
    """Administrators. Others are told that there is nothing, so that they learn of no target."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Say whether an administrator asks.

        Raises:
            Http404: somebody else does.
            PermissionDenied: an administrator has no two-factor authentication, where all need it.
        """
        if not is_staff(request._request):
            raise Http404
        if two_factor_missing(request.user):
            raise PermissionDenied(str(TWO_FACTOR_WANTED))
        return True


class _OfSettings(SimpleRateThrottle):
    """A limit from ``API_RATES``, by the address that the whole site believes in.

    The attack: the library takes the address from X-Forwarded-For as the caller writes it, so that a new header each
    time would be a new visitor each time.
    """

    def get_rate(self) -> str | None:
        """Return the limit as it is now, None for no limit."""
        rate: str | None = settings.API_RATES.get(str(self.scope))
        return rate

    def get_ident(self, request: Request) -> str:
        """Return whom the request is counted for."""
        return visitor_of(request._request)


class AnonymousLimit(_OfSettings, AnonRateThrottle):
    """How often an address may ask without saying who it is."""


class UserLimit(_OfSettings, UserRateThrottle):
    """How often a user may ask."""


class SiteLimit(BaseThrottle):
    """The limits of the site's own forms (``ACCOUNT_RATE_LIMITS``): the API is no second door to twice as much."""

    _wait_seconds: float | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Say whether what the view does may be done once more; looking is no try."""
        action = getattr(view, "site_limit", "")
        method = "GET" if request.method == "HEAD" else request.method  # which costs as much
        is_done = method == getattr(view, "site_limited", "")
        if not action or not is_done or consume(request._request, app="allauth.account", action=action, limit_get=True):
            return True
        self._wait_seconds = _seconds_until_free(request._request, action)
        return False

    def wait(self) -> float | None:
        """Return for how many seconds there is no use in asking again; None if that is not known any more."""
        return self._wait_seconds


def _seconds_until_free(request: HttpRequest, action: str) -> float | None:
    """Return when the oldest try of a limit runs out. Of the tries allauth tells only by its own parts."""
    app = "allauth.account"
    waits = []
    for rate in get_rates(app=app, action=action):
        tries = cache.get(get_cache_key(request, app=app, action=action, rate=rate), [])
        if len(tries) >= rate.amount:
            waits.append(tries[-1] + rate.duration - time.time())
    return max(waits, default=None)
