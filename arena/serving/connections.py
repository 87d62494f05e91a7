"""The HTTP protocol class of the web server: ``uvicorn --http arena.serving.connections:PromptProtocol``."""

from __future__ import annotations

import asyncio
import socket

from uvicorn.protocols.http.h11_impl import H11Protocol


class PromptProtocol(H11Protocol):
    """uvicorn's protocol with Nagle's algorithm switched off, so that every write is sent at once.

    With several processes uvicorn opens its socket without naming TCP, and asyncio then leaves Nagle's algorithm on:
    the body of each response waited 40 ms until the client had acknowledged the headers.

    It parses by h11, which ignores an offer to upgrade to a protocol that the server does not speak, as RFC 9110 asks.
    httptools takes 0.2 ms less for each request, but loses the body of a request that makes such an offer, as Java's
    ``HttpClient`` and ``curl --http2`` do over plain HTTP.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Switch Nagle's algorithm off for a new connection."""
        connection = transport.get_extra_info("socket")
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
