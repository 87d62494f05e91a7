"""Django for pages under ASGI: one thread takes a request from its first middleware to its last.

Django's own handler enters a new thread for each request, and comes and goes between it and the event loop for half of
the middleware. That costs as much as a page: the thread has no connection to the database yet, and each change waits
until the interpreter is free.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from inspect import iscoroutinefunction
from typing import IO, Any, ParamSpec, TypeVar

from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.signals import request_started
from django.db import close_old_connections
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve, set_script_prefix

from ladder.serving.body_limit import Receive, Send

PAGE_THREADS, ACCOUNT_THREADS = 8, 3
"""Of one process: no more together than it may have connections to the database (``DATABASE_POOL``)."""
ACCOUNT_PATHS = ("/accounts/", "/api/v1/login/")
"""Where passwords are hashed, for a third of a second of CPU each, and mail servers are waited for."""

P = ParamSpec("P")
T = TypeVar("T")

_pages = ThreadPoolExecutor(PAGE_THREADS, thread_name_prefix="page")
_accounts = ThreadPoolExecutor(ACCOUNT_THREADS, thread_name_prefix="account")


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
        response = await _in_thread(_lane(scope), self._answer, scope, body)
        await self.send_response(response, send)
        if response.streaming:
            await _in_thread(_pages, response.close)

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


async def ask_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that asks the database, for a view that is a coroutine.

    The thread that Django gives to such a view keeps its connection until all is sent, for minutes if that is a stream:
    ten quiet streams, and no page would get one any more. These are the threads of pages, and give it back at once.

    Raises:
        django.db.OperationalError: the database is away.
    """
    return await _in_thread(_pages, _asked, partial(function, *args, **kwargs))


def _asked(question: Callable[[], T]) -> T:
    try:
        return question()
    finally:
        close_old_connections()


def _lane(scope: dict[str, Any]) -> ThreadPoolExecutor:
    """Return the threads for a request: a class that signs up at once is not to keep all others from reading."""
    return _accounts if scope["method"] == "POST" and scope["path"].startswith(ACCOUNT_PATHS) else _pages


async def _in_thread(lane: ThreadPoolExecutor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    # In a context of its own: the language of one reader is not to be the next one's.
    call = partial(copy_context().run, function, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(lane, call)


def is_page(path: str) -> bool:
    """Tell whether one thread answers at an address: all but those whose views are coroutines."""
    try:
        return not iscoroutinefunction(resolve(path).func)
    except Resolver404:
        return True
