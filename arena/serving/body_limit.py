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

LINGER_BYTES_MAX = 32 * 1024 * 1024
"""So much of a body that is too large is read nevertheless, and thrown away, before it is answered. Were it answered at
once, the connection would be reset under whoever still sends: he would see that, or a proxy's 502, and not why."""
LINGER_SECONDS = 2.0
"""So long the next part of it may take .."""
LINGER_SECONDS_MAX = 60.0
""".. and all of it: nobody holds a connection for ever by a byte now and then."""

API = "/api/v1/"
"""Under it programs ask: they get what is refused in the shape of all problems (``api.problems``)."""


class Refused(Exception):  # noqa: N818 - says what has happened
    """A request is not taken."""

    status: HTTPStatus
    kind: str
    """The last part of the problem's type."""
    sentence: str


class _TooLarge(Refused):
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    kind = "too-large"
    sentence = "This is too large. Please send less."


class _TooSlow(Refused):
    status = HTTPStatus.REQUEST_TIMEOUT
    kind = "too-slow"
    sentence = "This came too slowly. Please try again over a faster connection."


class _NoRoom(Refused):
    status = HTTPStatus.SERVICE_UNAVAILABLE
    kind = "unavailable"
    sentence = "This cannot be taken in just now, since our disk is full. Please try again in a few minutes."


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
        limit = self._limit(scope)
        declared = _declared_bytes(scope)
        if declared > limit:
            if declared <= LINGER_BYTES_MAX:
                await _linger(receive)
            await refuse(scope, send, _TooLarge())
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
                raise _TooSlow from None
            if event["type"] == "http.request":
                is_whole = not event.get("more_body", False)
                came += len(event["body"])
                if came > limit:
                    raise _TooLarge
            return event

        async def noted_send(event: Event) -> None:
            nonlocal answered
            answered = True
            await send(event)

        try:
            await _kept(self._app, scope, counted_receive, noted_send)
        except Refused as refusal:
            if not answered:
                if not (is_whole or isinstance(refusal, _TooSlow)):
                    await _linger(receive)
                await refuse(scope, send, refusal)

    def _limit(self, scope: dict[str, Any]) -> int:
        own = (limit for path, limit in self._max_bytes_under.items() if scope["path"].startswith(path))
        return next(own, self._max_bytes)


async def _kept(app: Application, scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Have a request answered, or say that its body finds no room.

    Errors of views become pages: what comes from here is of Django's temporary file. A worker comes again after the
    503, and would fail what it has played after a 500.
    """
    try:
        await app(scope, receive, send)
    except OSError as error:
        log.error("body_not_kept", error=str(error))
        raise _NoRoom from error


def _declared_bytes(scope: dict[str, Any]) -> int:
    """Return what the request says of its length; 0 when it says nothing or nonsense (the server refuses that)."""
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(declared) if declared.isdigit() else 0


async def refuse(scope: dict[str, Any], send: Send, refusal: Refused) -> None:
    """Answer a request that is not taken, and close its connection."""
    content_type, body = b"text/plain; charset=utf-8", refusal.sentence.encode()
    if scope["path"].startswith(API):
        content_type, body = b"application/problem+json", json.dumps(_problem(refusal)).encode()
    headers = [
        (b"content-type", content_type),
        (b"content-length", str(len(body)).encode()),
        # Otherwise the server would go on reading, to find the connection's next request.
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _problem(refusal: Refused) -> dict[str, Any]:
    return {
        "type": f"/api/#{refusal.kind}",
        "title": refusal.status.phrase,
        "status": refusal.status,
        "detail": refusal.sentence,
        "errors": [],
    }


async def _linger(receive: Receive) -> None:
    """Throw away what still comes, within bounds, until it is whole or the visitor has gone."""
    left = LINGER_BYTES_MAX
    more = True
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS_MAX):
            while more and left > 0:
                # Not `wait_for`: before Python 3.12 it forgets that all shall end if a part comes in that moment.
                async with asyncio.timeout(LINGER_SECONDS):
                    event = await receive()
                left -= len(event.get("body", b""))
                more = event.get("more_body", False)
