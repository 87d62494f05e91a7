"""Live matches: a worker adds the lines of a match's replay to a Redis stream in batches, while the match is played.

Nothing else depends on the stream. It expires by itself, a slow broker delays no match, and a match that is over within
half a second sends nothing.
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
"""The field of a stream's entry that holds lines of JSON, joined by line feeds."""
FIRST_SECONDS = 0.5
"""When the first batch is sent; shorter matches are not worth watching live."""
BATCH_SECONDS = 0.2
STREAM_SECONDS = 120
"""A stream expires when nothing has been added to it for this long."""
BATCH_BYTES_MAX = 256 << 10
MATCH_BYTES_MAX = 8 << 20
"""The most that is sent of a match, several times what any game produces. The rest is shown with the stored replay."""

Show = Callable[[Iterable[JsonObject]], None]
"""A function that takes the next lines of the replay."""

log = structlog.get_logger()


def live_prefix(host: str) -> str:
    """Return the prefix of a host's streams; the host's broker user may add to no other streams.

    The attack: a host has seen the token of a job in the queue, and writes into the match that another host plays.

    Args:
        host: name of an invited host; empty for workers with a broker user that several machines share.
    """
    return f"{LIVE_PREFIX}{host}."


def live_key(lease_token: str, *, host: str) -> str:
    """Return the name of an attempt's live stream; ``host`` is the host that plays it, as in ``live_prefix``."""
    return live_prefix(host) + token_hash(lease_token)


def token_hash(lease_token: str) -> str:
    """Return the part of a key's name that stands for an attempt: others cannot guess it, nor get the token from it."""
    return hashlib.sha256(lease_token.encode()).hexdigest()[:32]


def show_nothing(_lines: Iterable[JsonObject]) -> None:
    """Ignore the lines: a ``Show`` for matches that nobody watches live, such as check matches."""


@contextmanager
def live_stream(broker: Redis, lease_token: str, *, host: str) -> Iterator[Show]:
    """Yield a function that queues lines, which another thread adds to the attempt's stream (``live_key``).

    ``broker`` must have timeouts; ``host`` is a name as in ``live_prefix``. After an error of the broker, which is
    logged, nothing more of the match is sent.
    """
    stream = _Stream(broker, live_key(lease_token, host=host))
    threading.Thread(target=stream.run, name="live", daemon=True).start()
    try:
        yield stream.waiting.extend
    finally:
        # The thread is not joined: it sends the last lines while the result of the match is reported.
        stream.ended.set()


class _Stream:
    """The queued lines of an attempt, and the loop that sends them."""

    def __init__(self, broker: Redis, key: str) -> None:
        self.waiting: deque[JsonObject] = deque()
        self.ended = threading.Event()
        self._broker = broker
        self._key = key
        self._bytes_left = MATCH_BYTES_MAX

    def run(self) -> None:
        """Send batches until the match has ended or ``MATCH_BYTES_MAX`` is reached."""
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
                lines: list[bytes] = []
                size = 0
                while self.waiting and size < BATCH_BYTES_MAX:
                    lines.append(msgspec.json.encode(self.waiting.popleft()))
                    size += len(lines[-1])
                self._bytes_left -= size
                pipe.xadd(self._key, {LINES_FIELD: b"\n".join(lines)})
                pipe.expire(self._key, STREAM_SECONDS)
                pipe.execute()
