"""Django's ASGI handler for pages, changed so that one thread of a pool runs a request from middleware to middleware.

Django's own handler starts a new thread for each request, and switches between it and the event loop for half of the
middleware. That costs as much as the page itself: the new thread has no database connection yet, and each switch waits
for the interpreter's lock.
"""

from __future__ import annotations

import re
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
from common.held import held
from common.threads import ACCOUNTS, PAGES, PROVIDERS, TRIES, UPLOADS, in_thread

ACCOUNT_PATHS = ("/accounts/", "/api/v1/login/")
"""Path prefixes of requests that hash passwords, for a third of a second of CPU each, or wait for mail servers."""

PROVIDER_PATH = re.compile(r"/accounts/(?:openid|github)/(?:login|callback)/")
"""Paths of requests that wait for a provider of sign-in.

The attack: while a provider hangs, visitors begin to sign in there, and nobody gets pages or signs in by password.
"""

UPLOAD_PATH = re.compile(
    r"/upload/|/versions/\d+/again/|/bots/\d+/enter/|/workshop/[^/]+/[^/]+/submit/"
    r"|/api/v1/versions/(?:\d+/(?:again|enter)/)?"
)
"""Paths of requests that bring a version: before a deadline many come at once."""

TRY_PATH = re.compile(r"/workshop/(?:[^/]+/[^/]+/)?tries/.*|/api/v1/tries/.*")
"""Paths of tries, which a class begins at once, and asks for again and again until they have ended."""


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
        response = await in_thread(_pool_of(scope["method"], scope["path"]), self._answer, scope, body)
        await held(response)
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


def _pool_of(method: str, path: str) -> ThreadPoolExecutor:
    """Return the pool for a request: when a school class signs up or uploads at once, others still get pages."""
    if PROVIDER_PATH.fullmatch(path):
        return PROVIDERS
    if method == "POST" and UPLOAD_PATH.fullmatch(path):
        return UPLOADS
    if TRY_PATH.fullmatch(path):
        return TRIES
    return ACCOUNTS if method == "POST" and path.startswith(ACCOUNT_PATHS) else PAGES


def is_page(path: str) -> bool:
    """Return whether ``PageHandler`` answers this path: every path except those whose views are coroutines."""
    try:
        return not iscoroutinefunction(resolve(path).func)
    except Resolver404:
        return True
