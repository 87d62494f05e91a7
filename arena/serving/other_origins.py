"""CORS headers: pages of other origins may read, in browsers, what anybody may read without signing in.

Nothing else: a browser hides from such a page every response to a request with cookies or a token, since the header
says `*`, and every response to a request that writes. Except the APIs of games (``GAME_APIS``), whose clients
run in pages of other origins: there they may join games and play them, for cookies do not count there.
"""

from __future__ import annotations

import re
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

_OPEN = re.compile(r"/api/v1/|/(?:games|contests)/[-\w]+/log$")
"""Paths of the API, and of the file that one of its URLs redirects to."""
_PREFLIGHT_SECONDS = 24 * 3600
"""How long a browser may cache the answer to a preflight request; most cache it for two hours at most."""


class ReadableFromOtherOrigins(MiddlewareMixin):
    """Middleware that lets browsers give responses of the API to pages of other origins (CORS).

    It stands before all other middleware, so that pages also see refusals and errors. The headers are the same for all
    origins, so that a cached response is right for every page.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Answer a preflight request: pages may send `If-None-Match`, and no other header, but to APIs of games.

        The attack: a page of another site tries passwords or tokens from the IP addresses of its visitors. Its browser
        refuses to send JSON or `Authorization`, since neither is allowed here. The APIs of games take no
        passwords, and their secrets and tokens are too long to be found by trying.
        """
        if not _is_open(request) or "Access-Control-Request-Method" not in request.headers:
            return None
        return HttpResponse(
            status=HTTPStatus.NO_CONTENT,
            headers={
                "Access-Control-Allow-Methods": "GET, POST, PATCH" if _is_played(request) else "GET, HEAD",
                "Access-Control-Allow-Headers": "Authorization, Content-Type"
                if _is_played(request)
                else "If-None-Match",
                "Access-Control-Max-Age": str(_PREFLIGHT_SECONDS),
            },
        )

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Allow pages of all origins to read a response and the two headers of it that they need.

        The attack: a page of another site reads what its visitor's cookies give access to. Therefore the header says
        `*`, and never names the origin: with `*` browsers hide responses to requests with cookies.
        """
        if _is_open(request):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        return response


def _is_open(request: HttpRequest) -> bool:
    is_reading = request.method in ("GET", "HEAD", "OPTIONS") and _OPEN.match(request.path) is not None
    return (is_reading or _is_played(request)) and not settings.API_SAME_ORIGIN


def _is_played(request: HttpRequest) -> bool:
    return any(paths.match(request.path) for paths in settings.GAME_APIS.values())
