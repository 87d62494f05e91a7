"""How the web server talks to browsers: ``uvicorn --workers 2 --http ladder.connections:PromptProtocol``."""

from __future__ import annotations

import asyncio
import socket

from uvicorn.protocols.http.auto import AutoHTTPProtocol


class PromptProtocol(AutoHTTPProtocol):  # type: ignore[valid-type,misc]  # chosen when uvicorn is imported
    """Sends what is written at once.

    With several processes uvicorn opens its socket without naming TCP, and asyncio then leaves Nagle's algorithm on
    (``asyncio.base_events._set_nodelay``): the body waits until the browser has acknowledged the head, which takes it
    40 ms. It made every page that much slower.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Switch Nagle's algorithm off for a new connection."""
        connection = transport.get_extra_info("socket")
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
