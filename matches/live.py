"""Serves running matches as server-sent events, from the streams in Redis to which their workers add lines.

The events are ``lines`` (lines of the replay as JSON, joined by line feeds), ``still`` (no line came for a while, but
the match goes on), ``ended`` (the last line was the footer), ``over`` (the match has ended otherwise or long ago; load
the page anew) and ``away`` (nothing more comes here; ask for the state of the match instead). Their ids are those of
the stream's entries, so that a client that connects again continues after the last event it has received.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog
from django.conf import settings
from django.db import OperationalError
from redis import RedisError
from redis._parsers import _AsyncRESP3Parser
from redis.asyncio import Redis

from common.limits import Counted
from common.threads import ask_database
from core.record import Footer, Header, Line, TurnLine
from matches.models import Match
from matches.selectors.matches import attempt_host
from wire.live import BATCH_BYTES_MAX, LINES_FIELD, MATCH_BYTES_MAX, live_key

HEARTBEAT_SECONDS = 5.0
"""After this time without lines a listener gets a ``still``, and the database is asked whether the match still runs."""
LISTENED_SECONDS_MAX = 600.0
"""A connection's longest life; the listener then connects again."""
LISTENERS_MAX = 300
"""The most listeners of one web process; each holds a connection to the broker."""
_ENTRIES_AT_ONCE = 16
ANSWER_BYTES_MAX = 2 * _ENTRIES_AT_ONCE * BATCH_BYTES_MAX
"""The most bytes of one answer of the broker: twice what an honest worker adds in ``_ENTRIES_AT_ONCE`` entries."""
_TEXT_BYTES = 64
"""About how many bytes of memory a string of an answer takes besides its characters."""
ENTRY_ID = re.compile(r"\d{1,15}-\d{1,10}")
STREAM_START = "0-0"
_KINDS: dict[bytes, type[Line]] = {b'{"form': Header, b'{"turn': TurnLine, b'{"rank': Footer}
"""The kind of a line, by its first six bytes."""

log = structlog.get_logger()


class BadLines(ValueError):  # noqa: N818 - says what they are
    """A worker has added something that is no part of a replay."""


class TooManyListeners(Exception):  # noqa: N818 - says what is so
    """This process has too many listeners already, in all or from one source."""


class Listeners:
    """Counts the listeners of this process, in all and by their source: a user, the guests of a network, or a seat."""

    def __init__(self) -> None:
        self._by_source: Counter[str] = Counter()

    @contextmanager
    def counted(self, by: Counted) -> Iterator[None]:
        """Count a listener while the context lasts; raise TooManyListeners if there are too many already.

        ``by`` has the listener's source, and how many listeners that source may have at once.

        The attack: a visitor opens connections, which cost him nothing, until the broker has none left.
        """
        if self._by_source[by.source] >= by.most or self._by_source.total() >= LISTENERS_MAX:
            raise TooManyListeners
        self._by_source[by.source] += 1
        try:
            yield
        finally:
            self._by_source -= Counter([by.source])


listeners = Listeners()


@dataclass(frozen=True, slots=True)
class Followed:
    """What is being played, as listeners follow it. Its functions ask the database."""

    name: str
    """What the site's log calls it, such as ``match 7``."""
    lease_token: str
    """Token of the current attempt; empty if no worker plays it."""
    host: Callable[[], str]
    """Returns the host that plays the attempt, as in ``wire.live.live_prefix``."""
    runs: Callable[[], bool]
    """Returns whether the attempt is still the current one."""
    ended: Callable[[], bool]
    """Returns whether nothing will be played any more."""


def live_events(*, match_id: int, lease_token: str, counted: Counted, after: str) -> AsyncIterator[bytes]:
    """Yield the events of a running match, as ``followed_events`` does (``counted`` and ``after`` are the same there).

    ``lease_token`` is that of the match's current attempt; empty if no worker plays it.
    """
    match = Match.objects.filter(pk=match_id)
    followed = Followed(
        name=f"match {match_id}",
        lease_token=lease_token,
        host=lambda: attempt_host(lease_token=lease_token),
        runs=match.filter(lease_token=lease_token).exists,
        ended=match.filter(state__in=[Match.State.FINISHED, Match.State.VOID]).exists,
    )
    return followed_events(followed=followed, counted=counted, after=after)


async def followed_events(*, followed: Followed, counted: Counted, after: str) -> AsyncIterator[bytes]:
    """Yield the events of what is being played, from its first line on or after the last event of a client.

    Args:
        followed: what is being played.
        counted: the listener's source, and how many listeners that source may have at once.
        after: id of the last event that the client has received; empty if it connects for the first time.
    """
    try:
        if not followed.lease_token:
            yield await _last_event(followed)
            return
        with listeners.counted(counted):
            begin = after if ENTRY_ID.fullmatch(after) else STREAM_START
            async with aclosing(_lines_followed(followed, begin)) as events:
                async for each in events:
                    yield each
    except TooManyListeners:
        log.warning("live_too_many_listeners")
        yield event("away")
    except (RedisError, OperationalError) as error:
        log.warning("live_broker_away" if isinstance(error, RedisError) else "live_database_away", error=str(error))
        yield event("away")
    except BadLines as error:
        log.warning("live_lines_malformed", of=followed.name, error=str(error))
        yield event("away")


async def _lines_followed(followed: Followed, after: str) -> AsyncGenerator[bytes, None]:
    ends = time.monotonic() + LISTENED_SECONDS_MAX
    key = live_key(followed.lease_token, host=await ask_database(followed.host))
    bytes_left = MATCH_BYTES_MAX + BATCH_BYTES_MAX
    yield b"retry: 1000\n\n"
    async with listener_broker() as broker:
        while time.monotonic() < ends and bytes_left > 0:
            entries = await entries_next(broker, key, after)
            if entries:
                after, lines = entries[-1][0], [line for _, fields in entries for line in lines_of(fields)]
                bytes_left -= sum(map(len, lines))
                yield event("lines", lines, after)
                if line_kind(lines[-1]) is Footer:
                    yield event("ended")
                    return
            elif await ask_database(followed.runs):
                yield event("still")
            else:
                yield await _last_event(followed)
                return
    if bytes_left <= 0:
        yield event("away")


class _Parser(_AsyncRESP3Parser):
    """Parses answers of the broker, and refuses one that is longer than ``ANSWER_BYTES_MAX``.

    The attack: a worker that was taken over adds an entry of hundreds of megabytes to the stream of its match, and for
    each listener the site reads it into memory.
    """

    async def read_response(self, disable_decoding: bool = False, push_request: bool = False) -> Any:
        """Read an answer; raise BadLines if it is longer than ``ANSWER_BYTES_MAX``."""
        self._bytes_left = ANSWER_BYTES_MAX
        return await super().read_response(disable_decoding, push_request)

    async def _read(self, length: int) -> bytes:
        self._bytes_left -= length + _TEXT_BYTES
        if self._bytes_left < 0:
            raise BadLines("more than any worker of ours adds")
        return await super()._read(length)


def listener_broker() -> Redis:
    """Return a new client of the broker for one listener. It refuses answers of more than ``ANSWER_BYTES_MAX``."""
    # The broker waits up to HEARTBEAT_SECONDS for entries; an answer must not take much longer. Without the name of its
    # library, which nobody reads at the broker, a connection is made in half the time.
    return Redis.from_url(
        settings.REDIS_URL,
        parser_class=_Parser,
        socket_connect_timeout=2,
        socket_timeout=HEARTBEAT_SECONDS + 2,
        driver_info=None,
    )


async def entries_next(broker: Redis, key: str, after: str) -> list[tuple[str, dict[bytes, bytes]]]:
    """Wait for the next entries of the stream ``key``; return the id and the fields of each.

    They are those after the entry with the id ``after`` (``STREAM_START``: from the first on), or an empty list when
    nothing has been added for ``HEARTBEAT_SECONDS``.

    Raises:
        BadLines: there are more bytes than an honest worker adds; only a broker from ``listener_broker`` sees that.
    """
    block_ms = round(HEARTBEAT_SECONDS * 1_000)
    # The stubs' type is a union over all versions of the protocol.
    answer: Any = await broker.xread({key: after}, count=_ENTRIES_AT_ONCE, block=block_ms)
    if not answer:
        return []
    ((_, entries),) = answer
    return [(entry_id.decode(), fields) for entry_id, fields in entries]


def lines_of(fields: Mapping[bytes, bytes]) -> list[bytes]:
    """Return the lines of the replay in an entry of a stream; raise BadLines if one is no part of a replay."""
    lines = fields.get(LINES_FIELD, b"").split(b"\n")
    for line in lines:
        line_kind(line)
    return lines


def line_kind(line: bytes) -> type[Line]:
    """Return the kind of a line; raise BadLines if it is no line of a replay.

    The attack: a worker that was taken over adds anything to its stream, for browsers to read.
    """
    kind = _KINDS.get(line[:6])
    if kind is None:
        raise BadLines("a line of an unknown kind")
    try:
        msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLines(str(error)) from error
    return kind


async def _last_event(followed: Followed) -> bytes:
    """Return the event for what no worker plays: ``over`` if it has ended, ``away`` if it waits for another."""
    return event("over" if await ask_database(followed.ended) else "away")


def event(name: str, lines: Sequence[bytes] = (), entry_id: str = "") -> bytes:
    """Return a server-sent event as bytes; its data are lines of JSON.

    A client sends ``entry_id`` when it connects again, to get what comes after it; if it is empty, the event has no id.
    """
    ids = [b"id: " + entry_id.encode()] if entry_id else []
    # Browsers drop an event without a data field.
    data = [b"data: " + line for line in lines] or [b"data:"]
    return b"\n".join([b"event: " + name.encode(), *ids, *data, b"", b""])
