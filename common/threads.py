"""The thread pools of a web process, one for each kind of request, so that a rush of one kind holds up no other.

All threads share the interpreter's lock, so few threads of a kind also mean that it takes few turns from the pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

PAGE_THREADS, ACCOUNT_THREADS, PROVIDER_THREADS = 8, 3, 2
UPLOAD_THREADS, TRY_THREADS, STREAM_THREADS = 2, 2, 2
"""Threads of one process. Together no more than its connections to the database (``DATABASE_POOL``)."""

P = ParamSpec("P")
T = TypeVar("T")

PAGES = ThreadPoolExecutor(PAGE_THREADS, thread_name_prefix="page")
ACCOUNTS = ThreadPoolExecutor(ACCOUNT_THREADS, thread_name_prefix="account")
"""For requests that hash passwords."""
PROVIDERS = ThreadPoolExecutor(PROVIDER_THREADS, thread_name_prefix="provider")
"""For sign-ins that wait for another site."""
UPLOADS = ThreadPoolExecutor(UPLOAD_THREADS, thread_name_prefix="upload")
TRIES = ThreadPoolExecutor(TRY_THREADS, thread_name_prefix="try")
STREAMS = ThreadPoolExecutor(STREAM_THREADS, thread_name_prefix="stream")
"""For the queries of streams: live matches and tries, tables, and exports of one's data."""


async def ask_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that queries the database, on behalf of an asynchronous view, and return its result.

    The function runs in a thread of the streams, which returns its database connection to the pool at once. The thread
    that Django itself gives to an asynchronous view keeps its connection until the response has been sent, which takes
    minutes for a stream: ten quiet streams would take all connections, and no page would get one.

    Raises:
        django.db.OperationalError: the database is away.
    """

    def call() -> T:
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await in_thread(STREAMS, call)


async def in_thread(pool: ThreadPoolExecutor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in a thread of a pool, and return its result."""
    # In a copy of the context: the language that one reader's page activates must not stay for the next reader.
    call = partial(copy_context().run, function, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(pool, call)
