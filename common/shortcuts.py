"""Decorators that several views share: rate limits and 503 answers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Concatenate, ParamSpec

from allauth.core.ratelimit import consume_or_429
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render

from common.errors import StoreAway

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def store_away_as_503(view: View[P]) -> View[P]:
    """Decorate a view to answer 503 with a page when it raises ``StoreAway``: the file store does not answer."""

    @wraps(view)
    def answered(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except StoreAway as error:
            return render(request, "503.html", {"sentence": error}, status=HTTPStatus.SERVICE_UNAVAILABLE)

    return answered


def rate_limited(action: str, *, method: str = "POST") -> Callable[[View[P]], View[P]]:
    """Decorate a view to answer 429 to a user who calls it more often than ``ACCOUNT_RATE_LIMITS`` allows.

    Args:
        action: the key in ``ACCOUNT_RATE_LIMITS``.
        method: the HTTP method that is counted; others are not limited. GET includes HEAD.
    """
    done_by = (method, "HEAD") if method == "GET" else (method,)  # HEAD costs as much

    def with_limit(view: View[P]) -> View[P]:
        @wraps(view)
        def counted(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method in done_by:
                # Without `limit_get` allauth ignores GET requests.
                too_often: HttpResponseBase | None = consume_or_429(request, action=action, limit_get=True)
                if too_often:
                    return too_often
            return view(request, *args, **kwargs)

        return counted

    return with_limit
