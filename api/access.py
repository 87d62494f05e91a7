"""Authentication, permissions and rate limits of the API."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest
from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, BaseThrottle, SimpleRateThrottle, UserRateThrottle

from accounts.access import TWO_FACTOR_WANTED, two_factor_missing
from common.limits import action_count, anonymous_rate, seconds_until_free
from common.visitors import visitor_of
from fleet.access import is_staff


class BearerAuthentication(TokenAuthentication):  # type: ignore[misc]  # knox brings no types
    """Authentication by a token in the header ``Authorization: Bearer TOKEN``."""

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the user and the token; None when the request has no header ``Authorization: Bearer``.

        Raises:
            AuthenticationFailed: the token is unknown, expired or revoked.
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
        """Return the user and the row of a token, which the caller sent as ``token``.

        Raises:
            AuthenticationFailed: the token is unknown, expired or revoked, or has bytes that no token can have, on
                which the library would fail.
        """
        if not token.replace(b"_", b"").isalnum():
            raise AuthenticationFailed
        user_and_token: tuple[Any, Any] = super().authenticate_credentials(token)
        return user_and_token


class IsStaff(BasePermission):
    """Permission for administrators. Others get 404, so that they do not learn which endpoints are worth attacking."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True when an administrator sent the request.

        Raises:
            Http404: the sender is not an administrator.
            PermissionDenied: the site requires two-factor authentication and this administrator has not set it up.
        """
        if not is_staff(view.http_request):
            raise Http404
        if two_factor_missing(request.user):
            raise PermissionDenied(str(TWO_FACTOR_WANTED))
        return True


class _SettingsThrottle(SimpleRateThrottle):
    """A rate limit from the setting ``API_RATES``, counted by the visitor's IP address as ``common.visitors`` finds it.

    The attack: the library reads the IP address from X-Forwarded-For, which callers write themselves; with another
    header in each request they would count as another visitor each time.
    """

    def get_rate(self) -> str | None:
        """Return the limit of this scope as the settings have it now, such as ``120/min``; None for no limit."""
        rate: str | None = settings.API_RATES.get(str(self.scope))
        return rate

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return True when the request is within the limit."""
        self.http_request: HttpRequest = view.http_request
        return super().allow_request(request, view)

    def get_ident(self, request: Request) -> str:
        """Return the visitor's IP address, by which requests are counted."""
        return visitor_of(self.http_request)


class AnonymousLimit(_SettingsThrottle, AnonRateThrottle):
    """The rate limit of requests without a user, for each IP address; a trusted network may have its own."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return True when the request is within the limit."""
        if own := anonymous_rate(request=view.http_request):
            self.rate = own
            self.num_requests, self.duration = self.parse_rate(own)
        return super().allow_request(request, view)


class UserLimit(_SettingsThrottle, UserRateThrottle):
    """The rate limit of requests for each user."""


class SiteLimit(BaseThrottle):
    """The limits of the site's own forms (``ACCOUNT_RATE_LIMITS``); a form and its API endpoint share one count."""

    _wait_seconds: float | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        """Return True when the request is within the limit that the view has for its method."""
        action = view.limit_of("GET" if request.method == "HEAD" else request.method)  # HEAD costs as much as GET
        if not action or action_count(request=view.http_request, action=action):
            return True
        self._wait_seconds = seconds_until_free(request=view.http_request, action=action)
        return False

    def wait(self) -> float | None:
        """Return the seconds until the next request is allowed, for the header Retry-After; None if unknown."""
        return self._wait_seconds
