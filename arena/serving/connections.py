"""How the web server talks to its proxy: ``uvicorn --workers 2 --http arena.serving.connections:PromptProtocol``."""

from __future__ import annotations

import asyncio
import socket

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class PromptProtocol(HttpToolsProtocol):
    """Sends what is written at once.

    With several processes uvicorn opens its socket without naming TCP, and asyncio then leaves Nagle's algorithm on:
    the body of each answer waited until the head was acknowledged, for 40 ms.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Switch Nagle's algorithm off for a new connection."""
        connection = transport.get_extra_info("socket")
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
