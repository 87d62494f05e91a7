"""Limits the requests of one IP address at a time (``requests`` in ``NETWORK_LIMITS``), enough for a hundred people.

The attack: one visitor keeps a thousand uploads open, each as slow as is allowed, or reads a thousand responses one
byte a second, until the web server can open no connection for anybody else.
"""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus
from typing import Any

from arena.serving.body_limit import Application, Receive, RequestRefused, Send, refuse
from common.limits import network_limit
from common.visitors import visitor_at

LOOPBACK = ("127.0.0.1", "::")
"""Visitors without a limit, from this machine (IPv6 by its network): health checks, workers of a one-machine arena."""
TOO_MANY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    "throttled",
    "You have asked for too much at once. Please wait until some of it has been answered.",
)


class VisitorLimit:
    """ASGI middleware that counts the open requests of each visitor, and refuses those over the limit."""

    def __init__(self, app: Application) -> None:
        """Wrap the application to protect."""
        self._app = app
        self._by_visitor: Counter[str] = Counter()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        # uvicorn has put the IP address there that the proxy reports.
        visitor = visitor_at(scope["client"][0]) if scope.get("client") else ""
        most = network_limit(name="requests", network=visitor)
        if self._by_visitor[visitor] >= most and visitor not in LOOPBACK:
            await refuse(scope, send, RequestRefused(*TOO_MANY))
            return
        self._by_visitor[visitor] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._by_visitor[visitor] -= 1
            if not self._by_visitor[visitor]:
                del self._by_visitor[visitor]
