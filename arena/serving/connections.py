"""How the web server talks to browsers: ``uvicorn --http arena.serving.connections:PromptProtocol``."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections import defaultdict
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

OPEN_FILES = 65_536
"""So many files, connections among them, a web process may have open where the machine allows it."""


def open_files_raise() -> None:
    """Let this process open as many files as it may, up to ``OPEN_FILES``.

    Systems begin with 1,024, for old programs. The attack: 1,100 connections that are slow, and nobody else comes in.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class PromptProtocol(HttpToolsProtocol):
    """Sends what is written at once, and waits for no head of a request without end.

    With several processes uvicorn opens its socket without naming TCP, and asyncio then leaves Nagle's algorithm on
    (``asyncio.base_events._set_nodelay``): the body waits until the browser has acknowledged the head, which takes it
    40 ms. It made every page that much slower.

    The attacks it stops: a head that goes on for ever, of which uvicorn keeps all in memory; and thousands of
    connections on which no whole request ever comes (Slowloris), which uvicorn keeps until it can open none any more.
    Of the connections from one address on which no request is answered just now, those that have waited longest are
    closed. A proxy is one address, too, but sends whole heads, and keeps few connections for later.
    """

    HEAD_BYTES_MAX = 64 * 1024
    """What h11, uvicorn's other parser, takes. One may have two reads of the socket (256 KiB each) more."""
    HEAD_SECONDS = 30.0
    WAITING_MAX = 512
    """Connections from one address that wait for a head."""
    _waiting: ClassVar[defaultdict[str, dict[PromptProtocol, None]]] = defaultdict(dict)
    """By address, in the order in which they began to wait."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Switch Nagle's algorithm off for a new connection, and wait for its first request."""
        connection = transport.get_extra_info("socket")
        if connection.family in (socket.AF_INET, socket.AF_INET6):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        self._head_begins()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._head_late.cancel()
        self._wait_no_more()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Wait for the rest of a head whose first byte has come."""
        super().on_message_begin()
        self._head_late.cancel()
        self._head_begins()

    def on_headers_complete(self) -> None:
        """Wait no more: the head is whole."""
        self._head_late.cancel()
        self._wait_no_more()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Wait for the next request, unless it has come already."""
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.response_complete:
            self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on, unless the head becomes too long."""
        self._head_bytes += len(data)
        super().data_received(data)
        is_head = not self._head_late.cancelled()
        if is_head and self._head_bytes > self.HEAD_BYTES_MAX and not self.transport.is_closing():
            self.send_400_response("The head of this request is too long.")

    def _wait(self) -> None:
        waiting = self._waiting[self._peer]
        waiting[self] = None
        if len(waiting) > self.WAITING_MAX:
            longest = next(iter(waiting))
            longest._wait_no_more()
            longest.transport.close()

    def _wait_no_more(self) -> None:
        if waiting := self._waiting.get(self._peer):
            waiting.pop(self, None)
            if not waiting:
                del self._waiting[self._peer]

    @property
    def _peer(self) -> str:
        return self.client[0] if self.client else ""

    def _head_begins(self) -> None:
        self._head_bytes = 0
        self._head_late = self.loop.call_later(self.HEAD_SECONDS, self.transport.close)
