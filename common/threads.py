"""The threads of a web process: those that answer pages, and those that sign people in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

PAGE_THREADS, ACCOUNT_THREADS = 8, 3
"""Of one process: no more together than it may have connections to the database (``DATABASE_POOL``)."""

P = ParamSpec("P")
T = TypeVar("T")

PAGES = ThreadPoolExecutor(PAGE_THREADS, thread_name_prefix="page")
ACCOUNTS = ThreadPoolExecutor(ACCOUNT_THREADS, thread_name_prefix="account")


async def ask_database(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that asks the database, for a view that is a coroutine.

    The thread that Django gives to such a view keeps its connection until all is sent, for minutes if that is a stream:
    ten quiet streams, and no page would get one any more. These are the threads of pages, and give it back at once.

    Raises:
        django.db.OperationalError: the database is away.
    """
    return await in_thread(PAGES, _asked, partial(function, *args, **kwargs))


def _asked(question: Callable[[], T]) -> T:
    try:
        return question()
    finally:
        close_old_connections()


async def in_thread(lane: ThreadPoolExecutor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function in one of the threads of a pool, and wait for its answer."""
    # In a context of its own: the language of one reader is not to be the next one's.
    call = partial(copy_context().run, function, *args, **kwargs)
    return await asyncio.get_running_loop().run_in_executor(lane, call)
