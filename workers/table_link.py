"""What a table tells its remote seats and hears from them, over the keys of ``wire.tables`` in Redis."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

import msgspec
import structlog
from redis import Redis, RedisError
from redis.exceptions import ResponseError

from core.game import JsonObject
from sandbox.api import PlatformFault
from wire.live import LINES_FIELD, live_key
from wire.tables import TABLE_KEY_SECONDS, TOLD_FIELD, Answer, Told, answers_key, seat_key

AWAY_SECONDS_MAX = 60
"""How long a table waits for a broker that is away, before it is lost."""
_AGAIN_SECONDS = 0.5
_WAIT_SECONDS_MIN = 0.01
"""For a shorter time Redis, which counts in milliseconds, might wait without end."""
_POLL_SECONDS = 1.0
"""How often a waiting table looks whether it must end or the broker has lost its data; less than the time limits of the
broker's connection."""

log = structlog.get_logger()


class TableLink:
    """The streams and lists of one table.

    Calls wait while the broker is away, and raise PlatformFault after ``AWAY_SECONDS_MAX``. A broker may lose all its
    data. So the entries of all streams are kept here, and are written again when their stream is gone.
    """

    def __init__(
        self, broker: Redis, lease_token: str, *, host: str, seats: Collection[int], must_end: Callable[[], str]
    ) -> None:
        """Link a table to its remote ``seats``.

        Args:
            broker: a connection to Redis whose socket timeout is longer than two seconds.
            lease_token: token of the attempt that this worker plays.
            host: name of the host, as in ``wire.live.live_prefix``.
            seats: numbers of the remote seats.
            must_end: called every second; returns a sentence why the table must end now; empty: it goes on.
        """
        self._broker = broker
        self._live = live_key(lease_token, host=host)
        self._streams = {seat: seat_key(lease_token, seat, host=host) for seat in seats}
        self._answers = {seat: answers_key(lease_token, seat, host=host) for seat in seats}
        self._must_end = must_end
        self._entries: dict[str, list[tuple[str, bytes, bytes]]] = {
            key: [] for key in (self._live, *self._streams.values())
        }
        """The entries of each stream: id, field and value."""
        self._lost: set[str] = set()
        self._restored = False
        self._added = 0
        self._begun_ms, self._begun = time.time_ns() // 1_000_000, time.monotonic()

    def show(self, lines: Iterable[JsonObject]) -> None:
        """Add lines of the replay to the live stream, which everybody may watch."""
        self._add(self._live, LINES_FIELD, b"\n".join(map(msgspec.json.encode, lines)))

    def show_seat(self, seat: int, lines: Iterable[JsonObject]) -> None:
        """Add lines of the replay, as a seat may see them, to the seat's stream."""
        self._add(self._streams[seat], LINES_FIELD, b"\n".join(map(msgspec.json.encode, lines)))

    def end(self, lines: Iterable[JsonObject]) -> None:
        """Add the last lines of the replay, which have the result, to all streams."""
        last = list(lines)
        self.show(last)
        for seat in self._streams:
            self.show_seat(seat, last)

    def tell(self, seat: int, told: Told) -> None:
        """Add a message to a seat's stream."""
        self._add(self._streams[seat], TOLD_FIELD, msgspec.json.encode(told))

    def take(self, seats: Collection[int], *, until: float) -> tuple[int, Answer] | None:
        """Wait for an answer of one of some seats, and take it.

        Args:
            seats: their numbers.
            until: when to stop waiting, by ``time.monotonic``. Even if that is past, a waiting answer is taken.

        Returns:
            The seat and its answer; None if no answer has come in time, or if the broker had lost the streams, which
            are complete again (see ``was_restored``).

        Raises:
            PlatformFault: the table must end, or the broker is away for too long.
        """
        keys = {self._answers[seat].encode(): seat for seat in seats}
        while True:
            if why := self._must_end():
                raise PlatformFault(why)
            left = until - time.monotonic()
            seconds = min(max(left, _WAIT_SECONDS_MIN), _POLL_SECONDS)
            if found := self._tried(partial(self._broker.blpop, list(keys), timeout=seconds)):
                try:
                    return keys[found[0]], msgspec.json.decode(found[1], type=Answer)
                except msgspec.MsgspecError as error:  # the site has checked it
                    log.error("answer_malformed", error=str(error))
            elif left <= 0:
                return None
            self._renew()
            if self._restored:
                return None

    def was_restored(self) -> bool:
        """Return whether the broker has lost the streams since the last call: answers may be lost with them."""
        restored, self._restored = self._restored, False
        return restored

    def rest(self, seconds: float) -> None:
        """Wait for ``seconds``; keep the table's streams meanwhile.

        Raises:
            PlatformFault: the table must end, or the broker is away for too long.
        """
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if why := self._must_end():
                raise PlatformFault(why)
            time.sleep(min(left, _POLL_SECONDS))
            if left > _POLL_SECONDS:  # else a turn begins now
                self._renew()

    def _add(self, key: str, field: bytes, value: bytes) -> None:
        self._added += 1
        # An entry's id is made here: an entry that is added again after a lost connection is refused, not doubled.
        # It begins with the time in milliseconds, by which players know how long ago they were asked.
        milliseconds = self._begun_ms + round((time.monotonic() - self._begun) * 1_000)
        entry_id = f"{milliseconds}-{self._added}"
        self._entries[key].append((entry_id, field, value))
        self._tried(partial(self._write, key, 1))

    def _renew(self) -> None:
        """Keep the table's streams, which would expire while a player thinks; write those again that are lost."""
        for key, entries in self._entries.items():
            if entries:
                self._tried(partial(self._write, key, 0))

    def _write(self, key: str, new: int) -> None:
        """Renew a stream and add its last ``new`` entries, or all of them if the broker has lost it."""
        entries = self._entries[key]
        is_there = bool(self._broker.expire(key, TABLE_KEY_SECONDS))
        if not is_there and len(entries) > new:
            self._lost.add(key)  # until all are written, also by a second try
            self._restored = True
        for entry_id, field, value in entries if key in self._lost else entries[len(entries) - new :]:
            try:
                self._broker.xadd(key, {field: value}, id=entry_id)
            except ResponseError as error:
                if "equal or smaller" not in str(error):
                    raise
        self._lost.discard(key)
        if not is_there:
            self._broker.expire(key, TABLE_KEY_SECONDS)

    def _tried(self, command: Callable[[], Any]) -> Any:
        """Return the result of a command; while the broker is away, try again.

        Raises:
            PlatformFault: it is away for longer than ``AWAY_SECONDS_MAX``, or the table must end.
        """
        until = time.monotonic() + AWAY_SECONDS_MAX
        while True:
            try:
                return command()
            except RedisError as error:
                log.warning("table_broker_away", error=str(error))
                if time.monotonic() >= until:
                    raise PlatformFault(f"The broker was away for {AWAY_SECONDS_MAX} seconds: {error}") from error
            if why := self._must_end():
                raise PlatformFault(why)
            time.sleep(_AGAIN_SECONDS)
