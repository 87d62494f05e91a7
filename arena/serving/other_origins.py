"""Pages of other sites may read, in browsers, what anybody may read without signing in.

Only that: such a page gets no answer to what its visitor's browser sends cookies or a token with, since `*` is not good
for those, nor to anything but reading.
"""

from __future__ import annotations

import re
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

_OPEN = re.compile(r"/api/v1/|/games/[-\w]+/log$")
"""The API, and the file that one of its addresses leads to."""
_ASK_AGAIN_SECONDS = 24 * 3600
"""So long a browser remembers what it may send; most keep to two hours."""


class ReadableFromOtherOrigins(MiddlewareMixin):
    """Middleware that lets browsers hand answers of the API to pages of other origins (the CORS protocol of Fetch).

    It stands before all others, so that pages learn of refusals and errors, too. Every answer says the same whoever
    asks, so that no cache keeps one that is not good for the next page.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Answer a browser that asks whether a page may ask with `If-None-Match`.

        The attack: a page elsewhere would try passwords, or a token, from the addresses of its visitors. The browser
        sends neither JSON nor `Authorization` for it, as both are missing here.
        """
        if not _is_open(request) or "Access-Control-Request-Method" not in request.headers:
            return None
        return HttpResponse(
            status=HTTPStatus.NO_CONTENT,
            headers={
                "Access-Control-Allow-Methods": "GET, HEAD",
                "Access-Control-Allow-Headers": "If-None-Match",
                "Access-Control-Max-Age": str(_ASK_AGAIN_SECONDS),
            },
        )

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Open an answer to all pages, with the two headers that they need and could not see.

        The attack: a page elsewhere reads what the cookies of its visitor open. Therefore `*`, for which browsers keep
        an answer to a request with cookies to themselves, and never the origin that asks.
        """
        if _is_open(request):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        return response


def _is_open(request: HttpRequest) -> bool:
    is_reading = request.method in ("GET", "HEAD", "OPTIONS")
    return is_reading and not settings.API_SAME_ORIGIN and _OPEN.match(request.path) is not None
