"""Stops requests whose body is too large while they come in.

Django reads a whole body into a temporary file before any view or upload handler sees it when it runs under ASGI
(``ASGIHandler.read_body``), so one visitor could fill the disk. This stands in front of it and counts the bytes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any

Event = Mapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]
"""The ASGI interface as Django types it."""


class _BodyTooLarge(Exception):  # noqa: N818 - never leaves this module
    """The body has passed its limit."""


class BodyLimit:
    """ASGI middleware that answers 413 and closes the connection as soon as a body is over its limit."""

    def __init__(self, app: Application, *, max_bytes: int, max_bytes_under: Mapping[str, int]) -> None:
        """Wrap an application.

        Args:
            app: the application to protect.
            max_bytes: the limit of a request's body.
            max_bytes_under: other limits, by the beginning of the path.
        """
        self._app = app
        self._max_bytes = max_bytes
        self._max_bytes_under = max_bytes_under

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on, with its body counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        limit = self._limit(scope)
        if _declared_bytes(scope) > limit:
            await _refuse(send)
            return
        await self._serve(scope, receive, send, limit)

    async def _serve(self, scope: dict[str, Any], receive: Receive, send: Send, limit: int) -> None:
        came = 0
        answered = False

        async def counted_receive() -> Event:
            nonlocal came
            event = await receive()
            if event["type"] == "http.request":
                came += len(event["body"])
                if came > limit:
                    raise _BodyTooLarge
            return event

        async def noted_send(event: Event) -> None:
            nonlocal answered
            answered = True
            await send(event)

        try:
            await self._app(scope, counted_receive, noted_send)
        except _BodyTooLarge:
            if not answered:
                await _refuse(send)

    def _limit(self, scope: dict[str, Any]) -> int:
        own = (limit for path, limit in self._max_bytes_under.items() if scope["path"].startswith(path))
        return next(own, self._max_bytes)


def _declared_bytes(scope: dict[str, Any]) -> int:
    """Return what the request says of its length; 0 when it says nothing or nonsense (the server refuses that)."""
    declared = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(declared) if declared.isdigit() else 0


async def _refuse(send: Send) -> None:
    body = b"This is too large. Please send less."
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        # Otherwise the server would go on reading, to find the connection's next request.
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "headers": headers})
    await send({"type": "http.response.body", "body": body})
