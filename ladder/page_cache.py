"""Caches whole pages for visitors who are not signed in: each page is made once in ``CACHED_SECONDS``."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from ladder.selectors.announcements import COOKIE as DISMISSED
from ladder.selectors.announcements import announcements_current, announcements_dismissed

CACHED_SECONDS = 5

View = Callable[..., HttpResponse]


def cached_for_anonymous(*parameters: str) -> Callable[[View], View]:
    """Cache the page that a view shows (GET) for visitors without a session; with one, the view is called each time.

    Browsers have to revalidate their copy each time: after signing in the same url shows the user's name.
    ``parameters`` are the query parameters that the view reads; all others are removed from anonymous requests.
    """

    def decorated(view: View) -> View:
        @require_safe
        @wraps(view)
        def cached(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not _is_anonymous(request):
                return view(request, *args, **kwargs)
            _query_normalize(request, parameters)
            key = _key(request)
            body = caches["pages"].get(key)
            response = view(request, *args, **kwargs) if body is None else HttpResponse(body)
            # The attack: a form's CSRF token belongs to one visitor; who knows it can forge requests of that visitor.
            has_token = "CSRF_COOKIE" in request.META
            if body is None and response.status_code == HTTPStatus.OK and not has_token:
                caches["pages"].set(key, response.content, CACHED_SECONDS)
            patch_vary_headers(response, ["Cookie"])
            patch_cache_control(response, no_cache=True)
            return response

        return cached

    return decorated


def _query_normalize(request: HttpRequest, parameters: Collection[str]) -> None:
    """Keep only the named parameters in the request's query, sorted by name.

    The attack: ``?x=1``, ``?x=2`` and so on show the same page, and each would be rendered and cached again.
    """
    query = QueryDict(mutable=True)
    query.update({name: request.GET[name] for name in sorted(parameters) if name in request.GET})
    request.META["QUERY_STRING"] = query.urlencode()
    request.GET = QueryDict(request.META["QUERY_STRING"])


def _is_anonymous(request: HttpRequest) -> bool:
    # Decided by cookies alone, since ``request.user`` would read the session from the database. Any other cookie may
    # change the page: one with a message for the visitor, or a form's token.
    return request.method in ("GET", "HEAD") and request.COOKIES.keys() <= {settings.LANGUAGE_COOKIE_NAME, DISMISSED}


def _key(request: HttpRequest) -> str:
    part = bool(request.headers.get("HX-Request"))
    # Not the cookie itself, which may hold anything: each value would get a cache entry of its own.
    dismissed = announcements_dismissed(cookies=request.COOKIES)
    current = [row.pk for row in announcements_current()]
    content = repr((request.build_absolute_uri(), get_language(), part, request.method, current, dismissed))
    return hashlib.sha256(content.encode()).hexdigest()
