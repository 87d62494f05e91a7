"""Who may see the fleet: administrators. Others are told that there is nothing, so that they learn of no target."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from accounts.access import two_factor_missing, two_factor_redirect

View = Callable[..., HttpResponse]


def staff_only(view: View) -> View:
    """Answer 404 to whoever is no administrator."""
    return _guarded(view, is_staff)


def staff_or_token(view: View) -> View:
    """Answer 404 to whoever is no administrator and does not show the token of those who collect metrics."""
    return _guarded(view, lambda request: _shows_token(request) or is_staff(request))


def is_staff(request: HttpRequest) -> bool:
    """Say whether an administrator asks."""
    return request.user.is_authenticated and request.user.is_active and request.user.is_staff


def _guarded(view: View, may: Callable[[HttpRequest], bool]) -> View:
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may(request):
            raise Http404
        if two_factor_missing(request.user):
            return two_factor_redirect(request)
        return view(request, *args, **kwargs)

    return guarded


def _shows_token(request: HttpRequest) -> bool:
    shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
    # Compared in constant time: how long a wrong guess takes must not tell how much of it is right.
    return bool(settings.METRICS_TOKEN) and hmac.compare_digest(shown.encode(), settings.METRICS_TOKEN.encode())
