"""Server-sent events of a running match: which ones browsers receive, in which order."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import msgspec
import pytest
import requests
from asgiref.sync import async_to_sync
from django.db import OperationalError
from django.db.models import QuerySet
from django.test import Client
from pytest_django import Settings
from redis import Redis

from accounts.access import Reader
from common.limits import Counted
from core.game import JsonObject
from deploy.broker import free_port
from jobs.leases import token_new
from matches import live
from matches.live import Listeners, TooManyListeners, live_events
from matches.models import Match
from matches.selectors import matches as selectors
from tests.matches.makers import make_records, make_running
from wire.live import LINES_FIELD, live_key

pytestmark = pytest.mark.django_db(transaction=True)

GUEST = Counted("a guest", 12)


@pytest.fixture
def match() -> Match:
    return make_running()


@pytest.fixture(scope="module")
def records() -> list[JsonObject]:
    return make_records("Alpha", "Beta")


def add(streams: Redis, match: Match, records: Sequence[JsonObject]) -> str:
    """Add lines as the worker does; returns the id of the entry."""
    lines = b"\n".join(msgspec.json.encode(record) for record in records)
    return streams.xadd(live_key(match.lease_token, host=""), {LINES_FIELD: lines}).decode()


def heard(match: Match, *, after: str = "", events: int = 100) -> list[tuple[str, list[JsonObject]]]:
    """Receive the events of a match until the end, or until so many have come."""

    async def listen() -> list[bytes]:
        stream = live_events(match_id=match.pk, lease_token=match.lease_token, counted=GUEST, after=after)
        received = []
        async for event in stream:
            received.append(event)
            if len(received) > events:
                await stream.aclose()
        return received

    received = async_to_sync(listen)()
    assert received[0].startswith(b"retry: ") or received == [received[0]]
    return [parsed(event) for event in received if not event.startswith(b"retry: ")]


def parsed(event: bytes) -> tuple[str, list[JsonObject]]:
    assert event.endswith(b"\n\n")
    fields = [line.partition(b": ") for line in event.splitlines() if line and not line.startswith(b":")]
    names = [value.decode() for name, _, value in fields if name == b"event"]
    return "".join(names), [msgspec.json.decode(value) for name, _, value in fields if name == b"data"]


def test_a_late_listener_gets_all_lines_and_who_connects_again_the_rest(
    streams: Redis, match: Match, records: list[JsonObject]
) -> None:
    first = add(streams, match, records[:10])
    add(streams, match, records[10:])
    events = heard(match)
    assert [name for name, _ in events] == ["lines", "ended"]
    assert events[0][1] == records
    assert heard(match, after=first)[0] == ("lines", records[10:])


def test_what_another_host_adds_is_not_shown(
    streams: Redis, match: Match, records: list[JsonObject], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: a host that has seen the lease token of a job writes into the match of the host that plays it."""
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)
    match.attempts.create(number=1, lease_token=match.lease_token, worker="north/play@pi")
    lines = b"\n".join(msgspec.json.encode(record) for record in records)
    for host in ("evil", ""):
        streams.xadd(live_key(match.lease_token, host=host), {LINES_FIELD: lines})
    assert heard(match, events=2) == [("still", [])] * 2
    streams.xadd(live_key(match.lease_token, host="north"), {LINES_FIELD: lines})
    assert heard(match)[0] == ("lines", records)


@pytest.mark.parametrize("nonsense", ["$", "0", "9" * 30 + "-0", "1-1\r\nevent: ended", "+"])
def test_an_invalid_id_begins_from_the_start(
    streams: Redis, match: Match, records: list[JsonObject], nonsense: str
) -> None:
    add(streams, match, records)
    assert heard(match, after=nonsense)[0] == ("lines", records)


def test_lines_come_while_somebody_listens(streams: Redis, match: Match, records: list[JsonObject]) -> None:
    async def listen() -> list[bytes]:
        stream = live_events(match_id=match.pk, lease_token=match.lease_token, counted=GUEST, after="")
        received = [await anext(stream)]
        for part in (records[:3], records[3:]):
            waiting = asyncio.ensure_future(anext(stream))
            await asyncio.to_thread(add, streams, match, part)
            received.append(await waiting)
        return received

    assert [parsed(event)[1] for event in async_to_sync(listen)()[1:]] == [records[:3], records[3:]]


def test_where_no_more_lines_can_come_that_is_said(
    streams: Redis, match: Match, records: list[JsonObject], monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def away(_: object) -> bool:
        raise OperationalError("no connection")

    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)
    with monkeypatch.context() as database:
        database.setattr(QuerySet, "exists", away)
        assert [name for name, _ in heard(match)] == ["away"]
    broker_url, settings.REDIS_URL = settings.REDIS_URL, f"redis://127.0.0.1:{free_port()}"
    assert [name for name, _ in heard(match)] == ["away"], "the broker is away"
    settings.REDIS_URL = broker_url
    token, match.lease_token = match.lease_token, ""
    add(streams, match, records)  # by a worker that was taken over: anybody can name this stream
    assert [name for name, _ in heard(match)] == ["away"], "nobody plays it"
    match.lease_token = token
    Match.objects.filter(pk=match.pk).update(lease_token=token_new())
    assert [name for name, _ in heard(match)] == ["away"], "another worker has begun it anew"
    add(streams, match, records[:2])
    Match.objects.filter(pk=match.pk).update(state=Match.State.VOID, lease_token="")
    assert [name for name, _ in heard(match)] == ["lines", "over"]


@pytest.mark.parametrize("state", [Match.State.FINISHED, Match.State.VOID])
def test_an_ended_match_gives_over_even_with_too_many_listeners(
    match: Match, monkeypatch: pytest.MonkeyPatch, state: Match.State
) -> None:
    monkeypatch.setattr(live, "LISTENERS_MAX", 0)
    Match.objects.filter(pk=match.pk).update(state=state, lease_token="")
    match.refresh_from_db()
    assert [name for name, _ in heard(match)] == ["over"]


@pytest.mark.parametrize(
    "line", [b"", b"{}", b'{"turn": "<script>"}', b'{"ranks": 1}', b"\xff", b'{"turn":' + b"[" * 9000]
)
def test_what_is_no_replay_reaches_no_browser(streams: Redis, match: Match, line: bytes) -> None:
    streams.xadd(live_key(match.lease_token, host=""), {LINES_FIELD: line})
    assert [name for name, _ in heard(match)] == ["away"]


@pytest.mark.parametrize("fields", [1, 5_000], ids=["a huge text", "many small ones"])
def test_no_more_is_read_than_a_worker_adds(
    streams: Redis, match: Match, records: list[JsonObject], monkeypatch: pytest.MonkeyPatch, fields: int
) -> None:
    """The attack: an entry of any length, which the site reads into memory for each listener."""
    lines = b"\n".join(msgspec.json.encode(record) for record in records)
    monkeypatch.setattr(live, "ANSWER_BYTES_MAX", 2 * len(lines))
    monkeypatch.setattr(live, "MATCH_BYTES_MAX", 100 * len(lines))
    more = b"x" * (2 * len(lines) // fields)
    streams.xadd(
        live_key(match.lease_token, host=""), {LINES_FIELD: lines} | {str(number): more for number in range(fields)}
    )
    assert [name for name, _ in heard(match)] == ["away"]


def test_a_stream_that_never_ends_is_left(
    streams: Redis, match: Match, records: list[JsonObject], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MATCH_BYTES_MAX", 0)
    monkeypatch.setattr(live, "BATCH_BYTES_MAX", 10)
    add(streams, match, records[:2])
    assert [name for name, _ in heard(match)] == ["lines", "away"]


def test_listeners_are_limited_and_counted_down_again() -> None:
    listeners = Listeners()
    one, other, third = (Counted(source, 1) for source in "abc")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "LISTENERS_MAX", 2)
        with listeners.counted(one):
            with pytest.raises(TooManyListeners), listeners.counted(one):
                pytest.fail("a second listener of one source")
            with listeners.counted(other), pytest.raises(TooManyListeners), listeners.counted(third):
                pytest.fail("a third place in all")
        with listeners.counted(one), listeners.counted(third):
            pass


@pytest.mark.parametrize(("other", "begins"), [("2001:DB8:0:0:9::4", b"event: away"), ("2001:db8:0:1::3", b"retry: ")])
def test_a_network_of_ipv6_counts_as_one_address(
    streams: Redis, match: Match, site_url: str, settings: Settings, other: str, begins: bytes
) -> None:
    """The attack: each of its 2^64 addresses is counted for itself, and one visitor takes all connections."""
    settings.NETWORK_LIMITS = {**settings.NETWORK_LIMITS, "listeners": 1}
    url = f"{site_url}/matches/{match.pk}/live"
    with requests.get(url, stream=True, timeout=10, headers={"X-Forwarded-For": "2001:db8::3"}) as first:
        lines = first.iter_lines(chunk_size=1)  # kept: it ends the stream when it goes, and gives the place back
        assert next(lines).startswith(b"retry: ")
        with requests.get(url, stream=True, timeout=10, headers={"X-Forwarded-For": other}) as second:
            assert next(second.iter_lines(chunk_size=1)).startswith(begins)


def test_over_the_wire_it_is_a_stream_that_nobody_keeps(
    streams: Redis, match: Match, records: list[JsonObject], site_url: str
) -> None:
    add(streams, match, records)
    response = requests.get(f"{site_url}/matches/{match.pk}/live", timeout=10)
    assert response.headers["Content-Type"] == "text/event-stream"
    assert response.headers["Cache-Control"] == "no-store"
    assert response.text.endswith("event: ended\ndata:\n\n")


def test_those_who_all_come_at_once_share_the_threads_of_streams(
    client: Client, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a thread for each listener they would wait for the few connections to the database until a time-out."""
    threads = []
    own = selectors.match_plain

    def noted(*, pk: int, reader: Reader) -> Match | None:
        threads.append(threading.current_thread().name)
        return own(pk=pk, reader=reader)

    monkeypatch.setattr(selectors, "match_plain", noted)
    assert client.get(f"/matches/{match.pk}/live").status_code == 200
    assert [name.partition("_")[0] for name in threads] == ["stream"]


def test_a_private_test_is_heard_by_its_owner_alone(match: Match, client: Client) -> None:
    Match.objects.filter(pk=match.pk).update(kind=Match.Kind.TRIAL)
    assert client.get(f"/matches/{match.pk}/live").status_code == 404
    client.force_login(match.seats.all()[0].version.bot.owner)
    assert client.get(f"/matches/{match.pk}/live").status_code == 200
