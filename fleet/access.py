"""Restricts pages to administrators. Others get 404, so that they do not learn which pages are worth attacking."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from accounts.access import two_factor_missing, two_factor_redirect
from common.credentials import credentials

View = Callable[..., HttpResponse]


def staff_only(view: View) -> View:
    """Return the view, restricted to administrators; others get 404."""
    return _guarded(view, is_staff)


def staff_or_token(view: View) -> View:
    """Return the view, restricted to administrators and to requests with ``METRICS_TOKEN``; others get 404."""
    return _guarded(view, lambda request: _has_metrics_token(request) or is_staff(request))


def is_staff(request: HttpRequest) -> bool:
    """Return True when an active administrator sent the request."""
    return request.user.is_authenticated and request.user.is_active and request.user.is_staff


def _guarded(view: View, may: Callable[[HttpRequest], bool]) -> View:
    """Return the view; it gives 404 where ``may`` is False, and leads users to two-factor authentication they lack."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may(request):
            raise Http404
        if two_factor_missing(request.user):
            return two_factor_redirect(request)
        return view(request, *args, **kwargs)

    return guarded


def _has_metrics_token(request: HttpRequest) -> bool:
    sent = credentials(header=request.headers.get("Authorization", ""), scheme="Bearer")
    # The attack: somebody measures how long wrong tokens take to compare, and so guesses the token byte by byte.
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(sent.encode(), settings.METRICS_TOKEN.encode())
