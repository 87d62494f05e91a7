"""Serves what a remote seat is told as server-sent events, or as lists for programs that ask again and again.

The events are those of ``matches.live`` and some of a seat: ``waiting`` (the table waits for a free place; its place in
line, or 0 if it is about to begin), ``question`` (a ``wire.tables.Question`` with ``left``, the seconds for the answer,
and ``answered``) and ``out`` (a ``wire.tables.Out``). The ids are those of the entries of the seat's stream, so that a
client that connects again goes on after the last event that it has received, or gets all from the beginning.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, NamedTuple

import msgspec
import structlog
from django.db import OperationalError
from django.utils import translation
from redis import RedisError
from redis.asyncio import Redis

from common.limits import Counted
from common.threads import ask_database
from common.words.messages import sentence_of
from core.record import Footer
from exhibitions.selectors.seats import SeatKeys, asked, place_in_line, seat_keys, seat_names
from matches.live import (
    ENTRY_ID,
    HEARTBEAT_SECONDS,
    LISTENED_SECONDS_MAX,
    STREAM_START,
    BadLines,
    TooManyListeners,
    entries_next,
    event,
    line_kind,
    lines_of,
    listener_broker,
    listeners,
)
from matches.models import Match, RemoteSeat
from wire.live import BATCH_BYTES_MAX, MATCH_BYTES_MAX
from wire.tables import TOLD_FIELD, Question, Told

LISTENERS_PER_SEAT = 4
"""The most listeners of one seat: some tabs, and connections that have broken without a word."""
LINE_SECONDS = 2.0
"""The seconds between two looks at the place in line of a table that waits."""
BEGIN_SECONDS = 0.5
"""The seconds between two looks at a table that has its place, until a worker has begun it."""
_NEWS_PAUSE_SECONDS = 0.02
"""A list of news is sent when nothing more has come for this long."""

log = structlog.get_logger(__name__)


class SeatEvent(NamedTuple):
    """Something that a seat is told."""

    name: str
    data: list[bytes]
    """Lines of JSON."""
    entry: str = ""
    """Id of its entry in the seat's stream; empty if it has none."""


class SeatNews(NamedTuple):
    """What a seat has been told since a program asked last."""

    events: list[dict[str, Any]]
    """The events, each with its name as ``event`` and its ``data``: for ``lines`` a list of records, else an object."""
    after: str
    """What the program is to send as ``after`` with its next request."""


async def seat_events(*, seat: RemoteSeat, after: str, language: str) -> AsyncIterator[bytes]:
    """Yield the events of a seat, from the first on or after the last event that the client has received.

    Args:
        seat: as ``selectors.seats.seat_of_secret`` returns it.
        after: id of the last event that the client has received; empty if it connects for the first time.
        language: the language of sentences, such as ``ja``: Django forgets it before a stream is read.
    """
    yield b"retry: 1000\n\n"
    async with aclosing(_counted(seat, after, language)) as told:
        async for each in told:
            yield event(each.name, each.data, each.entry)


async def seat_news(*, seat: RemoteSeat, after: str, wait_seconds: float, language: str) -> SeatNews:
    """Return what a seat has been told since a program asked last; wait for it if there is nothing yet.

    Args:
        seat: as ``selectors.seats.seat_of_secret`` returns it.
        after: ``SeatNews.after`` of the request before; empty for all from the beginning.
        wait_seconds: how long to wait for news at most; a place in line alone is told only then.
        language: as in ``seat_events``.
    """
    place: list[SeatEvent] = []
    news: list[SeatEvent] = []
    ends = time.monotonic() + wait_seconds
    async with aclosing(_counted(seat, after, language)) as told:
        while True:
            pause = _NEWS_PAUSE_SECONDS if news else max(ends - time.monotonic(), 0.0)
            try:
                each = await asyncio.wait_for(anext(told), pause)
            except (TimeoutError, StopAsyncIteration):
                break
            if each.name == "waiting":
                place = [each]
            elif each.name != "still":
                news.append(each)
    news = news or place
    ids = [each.entry for each in news if each.entry]
    return SeatNews([_as_json(each) for each in news], ids[-1] if ids else after)


def _as_json(each: SeatEvent) -> dict[str, Any]:
    records = [msgspec.json.decode(line) for line in each.data]
    return {"event": each.name, "data": records if each.name == "lines" else records[0] if records else {}}


async def _counted(seat: RemoteSeat, after: str, language: str) -> AsyncGenerator[SeatEvent, None]:
    try:
        begin = after if ENTRY_ID.fullmatch(after) else STREAM_START
        with listeners.counted(Counted(f"seat {seat.pk}", LISTENERS_PER_SEAT)):
            async with aclosing(_told(seat, begin, language)) as told:
                async for each in told:
                    yield each
    except TooManyListeners:
        log.warning("seat_too_many_listeners", match=seat.match_id, seat=seat.index)
        yield SeatEvent("away", [])
    except (RedisError, OperationalError) as error:
        log.warning("seat_events_away", match=seat.match_id, seat=seat.index, error=str(error))
        yield SeatEvent("away", [])
    except BadLines as error:
        log.warning("seat_lines_malformed", match=seat.match_id, seat=seat.index, error=str(error))
        yield SeatEvent("away", [])


async def _told(seat: RemoteSeat, after: str, language: str) -> AsyncGenerator[SeatEvent, None]:
    ends = time.monotonic() + LISTENED_SECONDS_MAX
    if seat.match.state == Match.State.QUEUED:
        async with aclosing(_in_line(seat.match_id, ends)) as line:
            async for each in line:
                yield each
        seat.match = await ask_database(Match.objects.get, pk=seat.match_id)
    match = seat.match
    keys = await ask_database(lambda: seat_keys(seat=seat))
    if keys is None:
        yield SeatEvent("over" if match.finished_at else "away", [])
        return
    bytes_left = 2 * MATCH_BYTES_MAX + BATCH_BYTES_MAX  # lines of the replay and questions
    async with listener_broker() as broker:
        while time.monotonic() < ends and bytes_left > 0:
            entries = await entries_next(broker, keys.stream, after)
            for after, fields in entries:
                bytes_left -= sum(map(len, fields.values()))
                each = await _event_of(broker, keys, after, fields, match=match, language=language)
                yield each
                if each.name == "lines" and line_kind(each.data[-1]) is Footer:
                    yield SeatEvent("ended", [])
                    return
            if entries:
                continue
            now = await ask_database(Match.objects.get, pk=match.pk)
            if now.lease_token == match.lease_token:
                yield SeatEvent("still", [])
            else:  # it has ended, or waits for another worker
                yield SeatEvent("over" if now.finished_at else "away", [])
                return
    if bytes_left <= 0:
        yield SeatEvent("away", [])


async def _in_line(pk: int, ends: float) -> AsyncGenerator[SeatEvent, None]:
    """Yield a table's place in line when it has changed, and as a sign of life, until a worker has begun the table."""
    told_at, told_place = 0.0, -1
    while time.monotonic() < ends:
        match = await ask_database(Match.objects.get, pk=pk)
        if match.state != Match.State.QUEUED:
            return
        place = await ask_database(partial(place_in_line, match=match))
        if place != told_place or time.monotonic() - told_at >= HEARTBEAT_SECONDS:
            told_at, told_place = time.monotonic(), place
            yield SeatEvent("waiting", [msgspec.json.encode({"place": place})])
        await asyncio.sleep(LINE_SECONDS if place else BEGIN_SECONDS)


async def _event_of(
    broker: Redis, keys: SeatKeys, entry: str, fields: Mapping[bytes, bytes], *, match: Match, language: str
) -> SeatEvent:
    """Return the event of an entry in a seat's stream.

    Raises:
        BadLines: no honest worker adds such an entry.
    """
    if TOLD_FIELD not in fields:
        return SeatEvent("lines", lines_of(fields), entry)
    try:
        told = msgspec.json.decode(fields[TOLD_FIELD], type=Told)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLines(str(error)) from error
    if not isinstance(told, Question):
        out = {"turn": told.turn, "verdict": told.verdict, "why": await _sentence(told.why, match, language)}
        return SeatEvent("out", [msgspec.json.encode(out)], entry)
    async with broker.pipeline(transaction=False) as pipe:
        pipe.time()
        pipe.get(keys.taken)
        (seconds, micros), taken = await pipe.execute()
    question = asked(told, entry, now=seconds + micros / 1e6, taken=int(taken or 0))
    shown = {**msgspec.structs.asdict(told), "left": question.left, "answered": question.is_answered}
    shown["refused"] = await _sentence(told.refused, match, language) if told.refused else None
    return SeatEvent("question", [msgspec.json.encode(shown)], entry)


async def _sentence(message: Mapping[str, Any], match: Match, language: str) -> str:
    """Return the sentence of a message (``core.message``) about a match.

    Raises:
        BadLines: no honest worker sends such a message.
    """
    names = await ask_database(lambda: seat_names(match=match))
    try:
        with translation.override(language):
            return sentence_of(message, match.game, names)
    except (KeyError, AttributeError, TypeError) as error:
        raise BadLines(str(error)) from error
