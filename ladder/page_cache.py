"""Pages that are the same for all strangers, made once in a few seconds however many ask."""

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

from ladder.selectors.announcements import COOKIE as DISMISSED
from ladder.selectors.announcements import announcements_for

KEPT_SECONDS = 5

View = Callable[..., HttpResponse]


def page_for_strangers(*parameters: str) -> Callable[[View], View]:
    """Keep a page for those who are not signed in; whoever carries a session gets one of their own.

    Browsers are told to keep nothing: what they show after signing in greets the user.

    Args:
        parameters: what the page reads of the query of its URL. Strangers' pages see no others.
    """

    def keeping(view: View) -> View:
        @wraps(view)
        def kept(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not _is_stranger(request):
                return view(request, *args, **kwargs)
            _query_keep(request, parameters)
            key = _key(request)
            body = caches["pages"].get(key)
            response = view(request, *args, **kwargs) if body is None else HttpResponse(body)
            if body is None and response.status_code == HTTPStatus.OK and not _has_token(request):
                caches["pages"].set(key, response.content, KEPT_SECONDS)
            patch_vary_headers(response, ["Cookie"])
            patch_cache_control(response, no_cache=True)
            return response

        return kept

    return keeping


def _query_keep(request: HttpRequest, parameters: Collection[str]) -> None:
    """Take from the query what the page does not read, and put the rest in order.

    The attack: ``?x=1``, ``?x=2`` and so on are one page, which was drawn anew for each.
    """
    query = QueryDict(mutable=True)
    query.update({name: request.GET[name] for name in sorted(parameters) if name in request.GET})
    request.META["QUERY_STRING"] = query.urlencode()
    request.GET = QueryDict(request.META["QUERY_STRING"])


def _is_stranger(request: HttpRequest) -> bool:
    # By cookies alone: to ask who it is would read the session from the database. Any other cookie may change the page:
    # a message that waits, a form's token.
    return request.method in ("GET", "HEAD") and request.COOKIES.keys() <= {settings.LANGUAGE_COOKIE_NAME, DISMISSED}


def _has_token(request: HttpRequest) -> bool:
    # A form's token belongs to one visitor: whoever knew another's could forge his requests.
    return "CSRF_COOKIE" in request.META


def _key(request: HttpRequest) -> str:
    part = bool(request.headers.get("HX-Request"))
    # Not the cookie itself: it may say anything, and each would be a page of its own.
    shown = [row.pk for row in announcements_for(cookies=request.COOKIES)]
    content = repr((request.build_absolute_uri(), get_language(), part, request.method, shown))
    return hashlib.sha256(content.encode()).hexdigest()
