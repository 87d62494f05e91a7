"""What a seat is told as server-sent events or as lists: which events, in which order, to whom."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest
from asgiref.sync import async_to_sync
from pytest_django import Settings
from redis import Redis
from structlog.testing import capture_logs

from core.message import Message
from deploy.broker import free_port
from exhibitions import seat_events as module
from exhibitions.seat_events import SeatNews, seat_events, seat_news
from exhibitions.services.answering import seat_answer
from exhibitions.services.opening import Opened
from matches import live
from matches.models import RemoteSeat
from matches.services.lifecycle import match_void
from tests.exhibitions.makers import make_table, out, question, seat_of, table_begin, tell
from tests.matches.makers import make_records
from tests.matches.test_live import parsed
from wire.live import BATCH_BYTES_MAX
from wire.tables import Answer

pytestmark = pytest.mark.django_db(transaction=True)
RECORDS = make_records("Ada", "Bob")


def heard(seat: RemoteSeat, *, after: str = "", events: int = 100, language: str = "en") -> list[tuple[str, Any]]:
    """Receive the events of a seat until the end, or until so many have come."""

    async def listen() -> list[bytes]:
        stream = seat_events(seat=seat, after=after, language=language)
        received = []
        async for event in stream:
            received.append(event)
            if len(received) > events:
                await stream.aclose()  # type: ignore[attr-defined]
        return received

    received = async_to_sync(listen)()
    assert received[0].startswith(b"retry: ")
    return [parsed(event) for event in received[1:]]


def news(seat: RemoteSeat, *, after: str = "", wait_seconds: float = 5) -> SeatNews:
    return async_to_sync(seat_news)(seat=seat, after=after, wait_seconds=wait_seconds, language="en")


def test_who_comes_back_gets_all_from_the_beginning(streams: Redis, table: Opened) -> None:
    tell(streams, table.match, RECORDS[:1], question(1), RECORDS[1:2], question(2))
    seat_answer(seat=seat_of(table), answer=Answer(2, ["STAY"]))
    tell(streams, table.match, RECORDS[2:])
    for _reload in range(2):
        events = heard(seat_of(table))
        assert [name for name, _ in events] == ["lines", "question", "lines", "question", "lines", "ended"]
        first, second = (data[0] for name, data in events if name == "question")
        assert (first["number"], first["offered"], first["refused"]) == (1, [["STAY"]], None)
        assert 0 < first["left"] <= 60
        assert second["answered"]
    assert [record for name, data in events if name == "lines" for record in data] == RECORDS


def test_who_connects_again_gets_the_rest(streams: Redis, table: Opened) -> None:
    tell(streams, table.match, RECORDS[:1], question(1))
    first = news(seat_of(table))
    assert [each["event"] for each in first.events] == ["lines", "question"]
    tell(streams, table.match, RECORDS[1:])
    assert [name for name, _ in heard(seat_of(table), after=first.after)] == ["lines", "ended"]
    rest = news(seat_of(table), after=first.after)
    assert [each["event"] for each in rest.events] == ["lines", "ended"]
    assert rest.events[0]["data"] == RECORDS[1:]


def test_a_program_waits_for_news_and_gets_none_too_late(streams: Redis, table: Opened) -> None:
    async def ask() -> tuple[SeatNews, SeatNews]:
        nothing = await seat_news(seat=seat, after="", wait_seconds=0.2, language="en")
        asking = asyncio.create_task(seat_news(seat=seat, after="", wait_seconds=30, language="en"))
        await asyncio.sleep(0)
        await asyncio.to_thread(streams.xadd, key, {"told": msgspec.json.encode(question(1))})
        return nothing, await asking

    tell(streams, table.match, question(1))
    seat, key = seat_of(table), next(streams.scan_iter("table.*"))
    streams.delete(key)
    nothing, something = async_to_sync(ask)()
    assert nothing == SeatNews([], "")
    assert [each["event"] for each in something.events] == ["question"]


def test_a_refusal_and_the_end_are_said_in_the_players_language(streams: Redis, table: Opened) -> None:
    why = {"kind": "worker-silent", "args": {}}
    tell(streams, table.match, question(2, refused=why, tries=1), out())
    said = {language: heard(seat_of(table), events=2, language=language) for language in ("en", "ja")}
    assert said["en"][0][1][0]["refused"] == "The worker gave no sign of life any more."
    assert said["en"][1] == ("out", [{"turn": 3, "verdict": "time", "why": said["en"][0][1][0]["refused"]}])
    assert said["ja"][1][1][0]["why"] != said["en"][1][1][0]["why"]


def test_in_line_the_place_is_told(streams: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LINE_SECONDS", 0.05)
    opened = make_table()
    seat = seat_of(opened)
    assert news(seat, wait_seconds=0.2) == SeatNews([{"event": "waiting", "data": {"place": 0}}], "")

    async def listen() -> list[bytes]:
        received = []
        async for event in seat_events(seat=seat, after="", language="en"):
            received.append(event)
            if len(received) == 2:
                await asyncio.to_thread(table_begin, opened.match)
                await asyncio.to_thread(tell, streams, opened.match, RECORDS)
        return received

    events = [parsed(event) for event in async_to_sync(listen)()[1:]]
    assert [name for name, _ in events] == ["waiting", "lines", "ended"]


def test_a_table_that_has_ended_says_so(streams: Redis, table: Opened) -> None:
    match_void(match=table.match, reason=Message("match-voided"))
    assert heard(seat_of(table)) == [("over", [])]
    assert news(seat_of(table)).events == [{"event": "over", "data": {}}]


def test_a_quiet_table_gives_signs_of_life_until_it_ends(
    streams: Redis, table: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.1)
    seat = seat_of(table)

    async def listen() -> list[bytes]:
        received = []
        async for event in seat_events(seat=seat, after="", language="en"):
            received.append(event)
            if len(received) == 3:
                await asyncio.to_thread(match_void, match=table.match, reason=Message("match-voided"))
        return received

    events = [parsed(event)[0] for event in async_to_sync(listen)()[1:]]
    assert (events[:2], events[-1]) == (["still"] * 2, "over")


def test_each_seat_hears_its_own_stream_alone(streams: Redis, table: Opened) -> None:
    tell(streams, table.match, question(1), seat=1)
    tell(streams, table.match, question(1), host="south")
    assert news(seat_of(table, 0), wait_seconds=0.2).events == []
    assert len(news(seat_of(table, 1)).events) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"told": b"<script>"},
        {"told": b"[" * 9_000},
        {"told": b"\xff"},
        {"told": b'{"type": "Question", "number": "1"}'},
        {"told": b'{"type": "Out", "turn": 1, "verdict": "time", "why": {"args": []}}'},
        {"lines": b'{"turn": <script>'},
        {"other": b"1"},
        {"told": b"x" * (40 * BATCH_BYTES_MAX)},
    ],
    ids=lambda fields: str(fields)[:24],
)
def test_what_a_hostile_worker_adds_reaches_no_browser(streams: Redis, table: Opened, fields: dict[str, bytes]) -> None:
    tell(streams, table.match, question(1))
    streams.xadd(next(streams.scan_iter("table.*")), fields)
    assert [name for name, _ in heard(seat_of(table))][-1] == "away"


def test_a_seat_has_few_listeners(streams: Redis, table: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LISTENERS_PER_SEAT", 0)
    with capture_logs() as logs:
        assert heard(seat_of(table)) == [("away", [])]
    assert [(each["event"], "error" in each) for each in logs] == [("seat_too_many_listeners", False)]


def test_without_a_broker_the_listener_is_sent_away(table: Opened, settings: Settings) -> None:
    seat = seat_of(table)
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}"
    assert heard(seat) == [("away", [])]
