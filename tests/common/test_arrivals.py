"""When a request reached the site: not when a thread takes it up, and not what the client says."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.test import RequestFactory

from arena.asgi import application
from arena.serving.arrivals import ArrivalStamp
from common.arrivals import arrived_at
from common.queries.sql import database_now

pytestmark = pytest.mark.django_db


def scope_of(**more: Any) -> dict[str, Any]:
    return {"type": "http", "method": "POST", "path": "/upload/", "query_string": b"", "headers": [], **more}


def stamped(scope: dict[str, Any], *, body_ends: Callable[[], None] = lambda: None) -> dict[str, Any]:
    """Return the scope that an application behind the stamp gets, which reads a body that ends after a call."""
    got: list[dict[str, Any]] = []

    async def site(scope: dict[str, Any], receive: Any, _send: Any) -> None:
        while (await receive())["more_body"]:
            pass
        got.append(scope)

    async def send(*_: Any) -> Any:
        raise AssertionError

    parts = iter([True, False])

    async def receive() -> Any:
        if not (more := next(parts)):
            body_ends()
        return {"type": "http.request", "body": b"x", "more_body": more}

    asyncio.run(ArrivalStamp(site)(scope, receive, send))
    return got[0]


def test_the_stamp_is_the_outermost_layer_of_the_site() -> None:
    assert isinstance(application, ArrivalStamp)


def test_the_time_in_a_queue_of_the_site_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    scope, before = stamped(scope_of()), database_now()
    waited, clock = 56.0, time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: clock() + waited)
    arrived = arrived_at(ASGIRequest(scope, io.BytesIO()))
    passed = (database_now() - before).total_seconds()
    assert -waited - 1 <= (arrived - before).total_seconds() <= passed - waited


@pytest.mark.parametrize(("took", "counts_from"), [(55.0, 0.0), (660.0, 600.0)])
def test_a_body_may_take_a_minute_and_then_counts_from_a_minute_before_its_end(
    monkeypatch: pytest.MonkeyPatch, took: float, counts_from: float
) -> None:
    """The attack: the head of an upload comes in time, and its program eleven minutes later."""
    clock, begun = time.monotonic, time.monotonic()
    scope = stamped(scope_of(), body_ends=lambda: monkeypatch.setattr(time, "monotonic", lambda: clock() + took))
    arrived = arrived_at(ASGIRequest(scope, io.BytesIO()))
    after = took - (database_now() - arrived).total_seconds()
    assert counts_from - 1 <= after <= counts_from + clock() - begun


@pytest.mark.parametrize("name", [b"banzuke.arrived", b"x-arrived", b"date"])
def test_a_client_cannot_write_the_stamp(name: bytes) -> None:
    """The attack: somebody sends a late upload with a header that says it came in time."""
    scope, before = stamped(scope_of(headers=[(name, b"0")], query_string=b"banzuke.arrived=0")), database_now()
    assert arrived_at(ASGIRequest(scope, io.BytesIO())) > before - timedelta(seconds=10)


def test_a_request_without_a_stamp_arrives_now() -> None:
    before = database_now()
    assert before <= arrived_at(RequestFactory().post("/upload/")) <= database_now()


@pytest.mark.database
def test_the_clock_of_the_database_has_a_zone_and_goes_on() -> None:
    first, second = database_now(), database_now()
    assert isinstance(first, datetime)
    assert first.utcoffset() == timedelta(0)
    assert first <= second
