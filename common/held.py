"""Responses that are held back until something has happened, without a thread that waits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import NamedTuple

import structlog
from django.http.response import HttpResponseBase

from common.threads import ask_database

log = structlog.get_logger(__name__)

_LOOK_SECONDS = 0.2


class Held(NamedTuple):
    """What a response waits for."""

    has_come: Callable[[], bool]
    """Returns whether it has happened; it may query the database."""
    seconds: float
    """How long the response waits for it at most."""


def hold(response: HttpResponseBase, *, until: Callable[[], bool], seconds: float) -> None:
    """Let a view's response be sent only when ``until`` returns True, or after ``seconds``.

    The attack: a dozen requests that wait in their views take all threads, and nobody gets a page.
    """
    response.held = Held(until, seconds)  # type: ignore[attr-defined]


async def held(response: HttpResponseBase) -> None:
    """Wait as long as a response is held back, and no longer if nobody can tell whether it has happened."""
    wait: Held | None = getattr(response, "held", None)
    if wait is None:
        return
    ends = time.monotonic() + wait.seconds
    try:
        while time.monotonic() < ends and not await ask_database(wait.has_come):
            await asyncio.sleep(_LOOK_SECONDS)
    except Exception:  # the response is ready: the database may be away
        log.exception("held_response_unknown")
