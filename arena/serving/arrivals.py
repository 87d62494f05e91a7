"""Stamps each request with the time of its arrival, before any limit, queue or middleware of the site."""

from __future__ import annotations

from typing import Any

from arena.serving.body_limit import Application, Event, Receive, Send
from common.arrivals import arrival_of_body, arrival_stamp


class ArrivalStamp:
    """ASGI middleware, the outermost, that stamps requests for ``common.arrivals.arrived_at``."""

    def __init__(self, app: Application) -> None:
        """Wrap an application."""
        self._app = app

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Stamp a request and pass it on."""
        arrival_stamp(scope)

        async def noted_receive() -> Event:
            event = await receive()
            if event["type"] == "http.request" and not event.get("more_body", False):
                arrival_of_body(scope)
            return event

        await self._app(scope, noted_receive, send)
