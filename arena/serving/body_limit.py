"""Stops requests whose body is too large, too slow, or finds no room, while they come in.

Django reads a whole body into a temporary file before any view or upload handler sees it when it runs under ASGI
(``ASGIHandler.read_body``), so one visitor could fill the disk; and the first 2.5 MiB of each into memory, which
somebody could fill with many bodies that never end. This stands in front of it, counts the bytes and looks at the
clock.
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
"""So long a body may take whatever its size."""
BYTES_PER_SECOND_MIN = 8 * 1024
"""So fast it has to come after that, on average: a fifteenth of what a poor mobile connection sends."""

DRAIN_BYTES_MAX = 32 * 1024 * 1024
"""So much of a body that is too large is read nevertheless, and thrown away, before it is answered. Were it answered at
once, the connection would be reset under whoever still sends: he would see that, or a proxy's 502, and not why."""
DRAIN_SECONDS = 2.0
"""So long the next part of it may take .."""
DRAIN_SECONDS_MAX = 60.0
""".. and all of it: nobody holds a connection for ever by a byte now and then."""

API = "/api/v1/"
"""Under it programs ask: they get what is refused in the shape of all problems (``api.problems``)."""


@dataclass
class Refused(Exception):  # noqa: N818 - says what has happened
    """A request is not taken."""

    status: HTTPStatus
    kind: str
    """The last part of the problem's type."""
    sentence: str


TOO_LARGE = HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too-large", "This is too large. Please send less."
TOO_SLOW = (
    HTTPStatus.REQUEST_TIMEOUT,
    "too-slow",
    "This came too slowly. Please try again over a faster connection.",
)
NO_ROOM = (
    HTTPStatus.SERVICE_UNAVAILABLE,
    "unavailable",
    "This cannot be taken in just now, since our disk is full. Please try again in a few minutes.",
)


class BodyLimit:
    """ASGI middleware that refuses a body that is too large, too slow or finds no room, and closes the connection."""

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
            max_bytes: the limit of a request's body.
            max_bytes_under: other limits, by the beginning of the path.
            grace_seconds: so long a body may take whatever its size.
        """
        self._app = app
        self._max_bytes = max_bytes
        self._max_bytes_under = max_bytes_under
        self._grace_seconds = grace_seconds

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on, with its body counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        own = (limit for path, limit in self._max_bytes_under.items() if scope["path"].startswith(path))
        limit = next(own, self._max_bytes)
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
        # The server refuses a length that is nonsense.
        if (declared := int(length) if length.isdigit() else 0) > limit:
            if declared <= DRAIN_BYTES_MAX:
                await _linger(receive)
            await refuse(scope, send, Refused(*TOO_LARGE))
            return
        await self._serve(scope, receive, send, limit)

    async def _serve(self, scope: dict[str, Any], receive: Receive, send: Send, limit: int) -> None:
        came = 0
        is_whole = answered = False
        late = asyncio.get_running_loop().time() + self._grace_seconds

        async def counted_receive() -> Event:
            nonlocal came, is_whole
            try:
                # Whoever asks once more when the body is whole waits for the end of the connection.
                async with asyncio.timeout_at(None if is_whole else late + came / BYTES_PER_SECOND_MIN):
                    event = await receive()
            except TimeoutError:
                raise Refused(*TOO_SLOW) from None
            if event["type"] == "http.request":
                is_whole = not event.get("more_body", False)
                came += len(event["body"])
                if came > limit:
                    raise Refused(*TOO_LARGE)
            return event

        async def noted_send(event: Event) -> None:
            nonlocal answered
            answered = True
            await send(event)

        try:
            await self._app(scope, counted_receive, noted_send)
        except (Refused, OSError) as error:
            refusal = error if isinstance(error, Refused) else _no_room(error)
            if not answered:
                if not is_whole and refusal.kind != "too-slow":
                    await _linger(receive)
                await refuse(scope, send, refusal)


def _no_room(error: OSError) -> Refused:
    """Return the refusal of a body for which Django's temporary file has no room: errors of views become pages.

    A worker comes again after the 503, and would fail what it has played after a 500.
    """
    log.error("body_not_kept", error=str(error))
    return Refused(*NO_ROOM)


async def refuse(scope: dict[str, Any], send: Send, refusal: Refused) -> None:
    """Answer a request that is not taken, and close its connection."""
    content_type, body = b"text/plain; charset=utf-8", refusal.sentence.encode()
    if scope["path"].startswith(API):
        told = {"status": refusal.status, "detail": refusal.sentence, "errors": []}
        problem = {"type": f"/api/#{refusal.kind}", "title": refusal.status.phrase, **told}
        content_type, body = b"application/problem+json", json.dumps(problem).encode()
    headers = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
        # Otherwise the server would go on reading, to find the connection's next request.
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def _linger(receive: Receive) -> None:
    """Throw away what still comes, within bounds, until it is whole or the visitor has gone."""
    left = DRAIN_BYTES_MAX
    more = True
    with suppress(TimeoutError):
        async with asyncio.timeout(DRAIN_SECONDS_MAX):
            while more and left > 0:
                # Not `wait_for`: before Python 3.12 it forgets that all shall end if a part comes in that moment.
                async with asyncio.timeout(DRAIN_SECONDS):
                    event = await receive()
                left -= len(event.get("body", b""))
                more = event.get("more_body", False)
