"""Django for pages under ASGI: one thread takes a request from its first middleware to its last.

Django's own handler enters a new thread for each request, and comes and goes between it and the event loop for half of
the middleware. That costs as much as a page: the thread has no connection to the database yet, and each change waits
until the interpreter is free.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from inspect import iscoroutinefunction
from typing import IO, Any

from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve, set_script_prefix

from arena.serving.body_limit import Receive, Send
from common.threads import ACCOUNTS, PAGES, in_thread

ACCOUNT_PATHS = ("/accounts/", "/api/v1/login/")
"""Where passwords are hashed, for a third of a second of CPU each, and mail servers are waited for."""


class PageHandler(ASGIHandler):
    """Answers requests in a few threads that stay."""

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware for one thread."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request for a page."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        response = await in_thread(_lane(scope), self._answer, scope, body)
        await self.send_response(response, send)
        if response.streaming:
            await in_thread(PAGES, response.close)

    def _answer(self, scope: dict[str, Any], body: IO[bytes]) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        request_started.send(sender=type(self), scope=scope)
        request, refusal = self.create_request(scope, body)
        response = self.get_response(request) if request else refusal
        assert response is not None  # noqa: S101 - for the type checker: without a request there is a refusal
        if isinstance(response, HttpResponse):
            # Closed here and not when it has been sent: this is the thread whose connection to the database goes back.
            response.close()
        return response


def _lane(scope: dict[str, Any]) -> ThreadPoolExecutor:
    """Return the threads for a request: a class that signs up at once is not to keep all others from reading."""
    return ACCOUNTS if scope["method"] == "POST" and scope["path"].startswith(ACCOUNT_PATHS) else PAGES


def is_page(path: str) -> bool:
    """Tell whether one thread answers at an address: all but those whose views are coroutines."""
    try:
        return not iscoroutinefunction(resolve(path).func)
    except Resolver404:
        return True
