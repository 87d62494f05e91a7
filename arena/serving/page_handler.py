"""Django's ASGI handler for pages, changed so that one thread of a pool runs a request from middleware to middleware.

Django's own handler starts a new thread for each request, and switches between it and the event loop for half of the
middleware. That costs as much as the page itself: the new thread has no database connection yet, and each switch waits
for the interpreter's lock.
"""

from __future__ import annotations

import re
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
"""Path prefixes of requests that hash passwords, for a third of a second of CPU each, or wait for mail servers."""


_PROVIDER_PATH = re.compile(r"/accounts/\w+/callback/")
"""Paths of requests that wait for providers of sign-in."""


class PageHandler(ASGIHandler):
    """A handler that answers requests in the thread pools of ``common.threads``."""

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware as synchronous functions."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer a request for a page."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        # Sign-ins have threads of their own: when a school class signs up at once, other readers still get pages.
        is_account = (
            scope["method"] == "POST" and scope["path"].startswith(ACCOUNT_PATHS)
        ) or _PROVIDER_PATH.fullmatch(scope["path"])
        response = await in_thread(ACCOUNTS if is_account else PAGES, self._answer, scope, body)
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
            # Closed in this thread, and not after sending: closing returns this thread's database connection.
            response.close()
        return response


def is_page(path: str) -> bool:
    """Return whether ``PageHandler`` answers this path: every path except those whose views are coroutines."""
    try:
        return not iscoroutinefunction(resolve(path).func)
    except Resolver404:
        return True
