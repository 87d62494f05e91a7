"""The limit on the open requests of one visitor."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from pytest_django import Settings

from arena.serving.body_limit import Event, Receive, Send
from arena.serving.visitor_limit import VisitorLimit

FIRST = ("192.0.2.1", "2001:db8::3", "127.0.0.1", "::1")


async def never() -> Event:
    await asyncio.Event().wait()
    return {}


def asked(limit: VisitorLimit, address: str, path: str = "/") -> tuple[asyncio.Task[None], list[Event]]:
    """Send a request, and return before it is answered."""
    answer: list[Event] = []

    async def send(event: Event) -> None:
        answer.append(event)

    scope = {"type": "http", "path": path, "client": (address, 1), "headers": []}
    return asyncio.ensure_future(limit(scope, never, send)), answer


@pytest.mark.parametrize(
    ("address", "refused"),
    [
        ("192.0.2.1", True),
        ("::ffff:192.0.2.1", True),
        ("192.0.2.2", False),
        ("192.0.2.129", False),
        ("2001:db8:0:0:9::4", True),
        ("2001:db8:0:1::3", False),
        ("unknown", False),
        ("127.0.0.1", False),
        ("::1", False),
    ],
)
def test_open_requests_of_one_visitor_are_limited(settings: Settings, address: str, refused: bool) -> None:
    """An IPv6 network is one visitor, as for all limits."""
    settings.NETWORK_LIMITS = {"requests": 2}
    settings.TRUSTED_NETWORKS = {"192.0.2.128/25": {"requests": 3}}

    async def slow(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        await receive()

    async def tried() -> None:
        limit = VisitorLimit(slow)
        held = [asked(limit, first)[0] for first in (*FIRST, "192.0.2.129") * 2]
        await asyncio.sleep(0)
        task, answer = asked(limit, address, "/api/v1/bots/")
        await asyncio.sleep(0)
        assert task.done() is refused
        if refused:
            assert answer[0]["status"] == 429
            assert json.loads(answer[1]["body"])["type"] == "/api/#throttled"
        for waiting in (*held, task):
            waiting.cancel()
        await asyncio.gather(*held, task, return_exceptions=True)
        # A request that is answered, or whose visitor has gone, counts no more.
        task, answer = asked(limit, "192.0.2.1")
        await asyncio.sleep(0)
        assert not task.done()
        task.cancel()

    asyncio.run(tried())
