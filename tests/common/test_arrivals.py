"""When a request reached the site: not when a thread takes it up, and not what the client says."""

from __future__ import annotations

import asyncio
import io
import time
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


def stamped(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the scope that an application behind the stamp gets."""
    got: list[dict[str, Any]] = []

    async def site(scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        got.append(scope)

    async def nothing(*_: Any) -> Any:
        raise AssertionError

    asyncio.run(ArrivalStamp(site)(scope, nothing, nothing))
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
