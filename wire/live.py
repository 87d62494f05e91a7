"""Shows a match while it is played: the lines of its replay go to a stream of the broker, a batch at a time.

Nothing depends on it. The stream ends by itself, whatever a broker is slow or away for delays no match, and a match
that is over within half a second sends nothing.
"""

from __future__ import annotations

import hashlib
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec
import structlog
from redis import Redis, RedisError

from core.game import JsonObject

LIVE_PREFIX = "live."
LINES_FIELD = b"lines"
"""Of an entry of the stream: lines as JSON, joined by line feeds."""
FIRST_SECONDS = 0.5
"""What is over by then is not worth watching live."""
BATCH_SECONDS = 0.2
KEPT_SECONDS = 120
"""How long the broker keeps a stream to which nothing is added."""
BATCH_BYTES_MAX = 256 << 10
MATCH_BYTES_MAX = 8 << 20
"""Of a whole match; several times what any game makes. Behind it nothing more is shown until the replay is stored."""

Show = Callable[[Iterable[JsonObject]], None]
"""Takes the next lines of the replay."""

log = structlog.get_logger()


def live_prefix(host: str) -> str:
    """Return how the names of the streams of a host's workers begin; its user of the broker may write nowhere else.

    The attack: a host has seen the token of a job in the queue, and writes into the match that another host plays.

    Args:
        host: an invited host; empty: the workers of all users of the broker that are no host's.
    """
    return f"{LIVE_PREFIX}{host}."


def live_key(lease_token: str, *, host: str) -> str:
    """Return the name of the stream of an attempt. Nobody learns a token from the name.

    Args:
        lease_token: of the attempt.
        host: that plays it, as of ``live_prefix``.
    """
    return live_prefix(host) + hashlib.sha256(lease_token.encode()).hexdigest()[:32]


def unwatched(_lines: Iterable[JsonObject]) -> None:
    """Show a match to nobody."""


@contextmanager
def live_stream(broker: Redis, lease_token: str, *, host: str) -> Iterator[Show]:
    """Show what is given to the yielded function, while the block runs, from a thread of its own.

    Args:
        broker: with time-outs; what it refuses or misses is logged, and the rest of the match is not shown.
        lease_token: of the attempt.
        host: that plays it, as of ``live_prefix``.
    """
    stream = _Stream(broker, live_key(lease_token, host=host))
    threading.Thread(target=stream.run, name="live", daemon=True).start()
    try:
        yield stream.waiting.extend
    finally:
        # Its thread sends the last lines by itself: the result of the match does not wait for it.
        stream.ended.set()


class _Stream:
    """The lines that wait, and the thread that sends them."""

    def __init__(self, broker: Redis, key: str) -> None:
        self.waiting: deque[JsonObject] = deque()
        self.ended = threading.Event()
        self._broker = broker
        self._key = key
        self._bytes_left = MATCH_BYTES_MAX

    def run(self) -> None:
        if self.ended.wait(FIRST_SECONDS):
            return
        try:
            while not self.ended.wait(BATCH_SECONDS) and self._bytes_left > 0:
                self._send()
            self._send()
        except RedisError as error:
            log.warning("live_not_sent", error=str(error))

    def _send(self) -> None:
        while self.waiting and self._bytes_left > 0:
            with self._broker.pipeline(transaction=False) as pipe:
                pipe.xadd(self._key, {LINES_FIELD: self._batch()})
                pipe.expire(self._key, KEPT_SECONDS)
                pipe.execute()

    def _batch(self) -> bytes:
        lines: list[bytes] = []
        size = 0
        while self.waiting and size < BATCH_BYTES_MAX:
            lines.append(msgspec.json.encode(self.waiting.popleft()))
            size += len(lines[-1])
        self._bytes_left -= size
        return b"\n".join(lines)
