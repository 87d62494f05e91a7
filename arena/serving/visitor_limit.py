"""Answers no more requests of one visitor at once than a few hundred people behind one address need.

The attack: one visitor holds a thousand uploads open, each as slow as is allowed, or reads a thousand answers by a byte
a second, until the web server can open no connection for anybody else.
"""

from __future__ import annotations

from collections import Counter
from http import HTTPStatus
from typing import Any

from arena.serving.body_limit import Application, Receive, Refused, Send, refuse
from common.visitors import visitor_at

REQUESTS_MAX = 256
"""Of one visitor at one web process, listeners of live matches and a host's transfers included."""

LOOPBACK = ("127.0.0.1", "::")
"""Whoever is on this machine, of IPv6 by its network: health checks, and workers of an arena on one machine."""
TOO_MANY = (
    HTTPStatus.TOO_MANY_REQUESTS,
    "throttled",
    "You have asked for too much at once. Please wait until some of it has been answered.",
)


class VisitorLimit:
    """ASGI middleware that counts the requests of each visitor that are being answered."""

    def __init__(self, app: Application, *, requests_max: int = REQUESTS_MAX) -> None:
        """Wrap an application.

        Args:
            app: the application to protect.
            requests_max: of one visitor at once.
        """
        self._app = app
        self._requests_max = requests_max
        self._by_visitor: Counter[str] = Counter()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        # The server has put the address there that its proxy tells.
        visitor = visitor_at(scope["client"][0]) if scope.get("client") else ""
        if self._by_visitor[visitor] >= self._requests_max and visitor not in LOOPBACK:
            await refuse(scope, send, Refused(*TOO_MANY))
            return
        self._by_visitor[visitor] += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._by_visitor[visitor] -= 1
            if not self._by_visitor[visitor]:
                del self._by_visitor[visitor]
