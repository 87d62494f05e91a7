"""Stops request bodies that are too large, too slow or do not fit on the disk, while they are received.

Under ASGI Django reads a whole body into a temporary file before any view or upload handler sees it
(``ASGIHandler.read_body``), so one visitor could fill the disk; and the first 2.5 MiB of each body into memory, which
somebody could fill with many bodies that never end. This middleware stands before Django, counts the bytes and checks
the time.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import structlog

Event = Mapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]
"""The ASGI interface as Django types it."""

log = structlog.get_logger()


GRACE_SECONDS = 30.0
"""How long a body may take, whatever its size."""
BYTES_PER_SECOND_MIN = 8 * 1024
"""Lowest average rate of a body after that: a fifteenth of what a poor mobile connection sends."""

DRAIN_BYTES_MAX = 32 * 1024 * 1024
"""How much of a body that is too large is read and discarded before the answer. If the answer came at once, the
connection would be reset while the client still sends: it would see that, or a proxy's 502, and not the reason."""
DRAIN_SECONDS = 2.0
"""How long the next part of a discarded body may take."""
DRAIN_SECONDS_MAX = 60.0
"""How long all of a discarded body may take: nobody can hold a connection for ever by a byte now and then."""

API = "/api/v1/"
"""Path prefix of the API, where refusals have the format of all its problems (``api.problems``)."""


@dataclass
class RequestRefused(Exception):  # noqa: N818 - says what has happened
    """A request is refused before Django handles it."""

    status: HTTPStatus
    kind: str
    """The last part of the problem's type, for the API."""
    sentence: str


TOO_LARGE = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", "This is too large. Please send less."
TOO_SLOW = HTTPStatus.REQUEST_TIMEOUT, "too-slow", "This came too slowly. Please try again over a faster connection."
DISK_FULL = (
    HTTPStatus.SERVICE_UNAVAILABLE,
    "unavailable",
    "This cannot be taken in just now, since our disk is full. Please try again in a few minutes.",
)


class BodyLimit:
    """ASGI middleware that refuses bodies that are too large, too slow or do not fit on the disk."""

    def __init__(
        self,
        app: Application,
        *,
        max_bytes: int,
        max_bytes_under: Mapping[str, int],
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        """Wrap an application.

        Args:
            app: the application to protect.
            max_bytes: the largest body.
            max_bytes_under: other limits, by the prefix of the path that they hold for.
            grace_seconds: as ``GRACE_SECONDS``.
        """
        self._app = app
        self._max_bytes = max_bytes
        self._max_bytes_under = max_bytes_under
        self._grace_seconds = grace_seconds

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on while counting its body, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        own = (limit for path, limit in self._max_bytes_under.items() if scope["path"].startswith(path))
        limit = next(own, self._max_bytes)
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        # The server itself refuses an invalid length.
        if (declared := int(length) if length.isdigit() else 0) > limit:
            if declared <= DRAIN_BYTES_MAX:
                await _drain(receive)
            await refuse(scope, send, RequestRefused(*TOO_LARGE))
            return
        await self._serve(scope, receive, send, limit)

    async def _serve(self, scope: dict[str, Any], receive: Receive, send: Send, limit: int) -> None:
        came = 0
        is_whole = answered = False
        late = asyncio.get_running_loop().time() + self._grace_seconds

        async def counted_receive() -> Event:
            nonlocal came, is_whole
            try:
                # An application that receives again after the whole body waits for the end of the connection.
                async with asyncio.timeout_at(None if is_whole else late + came / BYTES_PER_SECOND_MIN):
                    event = await receive()
            except TimeoutError:
                raise RequestRefused(*TOO_SLOW) from None
            if event["type"] == "http.request":
                is_whole = not event.get("more_body", False)
                came += len(event["body"])
                if came > limit:
                    raise RequestRefused(*TOO_LARGE)
            return event

        async def noted_send(event: Event) -> None:
            nonlocal answered
            answered = True
            await send(event)

        try:
            await self._app(scope, counted_receive, noted_send)
        except (RequestRefused, OSError) as error:
            if isinstance(error, RequestRefused):
                refusal = error
            else:  # the temporary file does not fit on the disk: errors of views never come here, Django answers them
                log.error("body_not_stored", error=str(error))
                refusal = RequestRefused(*DISK_FULL)  # after a 503 a worker tries again, after a 500 its job would fail
            if not answered:
                if not is_whole and refusal.kind != "too-slow":
                    await _drain(receive)
                await refuse(scope, send, refusal)


async def refuse(scope: dict[str, Any], send: Send, refusal: RequestRefused) -> None:
    """Send the answer to a refused request, and close its connection."""
    content_type, body = b"text/plain; charset=utf-8", refusal.sentence.encode()
    if scope["path"].startswith(API):
        problem = {
            "type": f"/api/#{refusal.kind}",
            "title": refusal.status.phrase,
            "status": refusal.status,
            "detail": refusal.sentence,
            "errors": [],
        }
        content_type, body = b"application/problem+json", json.dumps(problem).encode()
    headers = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
        # Otherwise the server would go on reading the body, to find the next request of the connection.
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _drain(receive: Receive) -> None:
    """Read and discard the rest of a body, within limits, until it ends or the visitor has gone."""
    left = DRAIN_BYTES_MAX
    more = True
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS_MAX):
            while more and left > 0:
                # Not `wait_for`: before Python 3.12 it swallows a cancellation if a part arrives at that moment.
                async with asyncio.timeout(DRAIN_SECONDS):
                    event = await receive()
                left -= len(event.get("body", b""))
                more = event.get("more_body", False)
