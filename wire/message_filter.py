"""A kombu transport that validates messages from Redis before Celery sees them.

Kombu and Celery trust everybody who may write to a queue. The attack: a worker that was taken over writes messages of
its choice. A message that is no JSON, or has a list where Celery expects a name, ends the managing worker that takes
it. Callbacks, chains and chords in a report are sent on by the site, with the site's rights. A million reports with an
ETA in the year 9999 fill the memory of the managing worker, where no queue shows them.

So an envelope is not passed on, but built again from the few fields that our tasks need; one that cannot be read is
dropped. A body cannot hold further tasks: it is a message in JSON, followed by a line feed and its signature. Kombu and
Celery pass it on as bytes, and the handler decodes it once (``wire.transport``).
"""

from __future__ import annotations

import base64
import json
import math
import time
import uuid
from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

import kombu.serialization
import msgspec
import structlog
from kombu.transport import TRANSPORT_ALIASES, redis, virtual

from wire.jobs import QUEUES, REPORT_QUEUE, SELF_PING_PREFIX, SELF_PING_TASK, SWEEP_TASKS, TABLE_TASK
from wire.own_queues import OWN_PREFIX

SERIALIZER = "banzuke"
"""The name by which kombu knows our serialization: JSON texts, joined by line feeds."""
CONTENT_TYPE = "application/x-banzuke"
ETA_SECONDS_MAX = 10
"""The latest ETA that a message may have, from now. The site's own retries wait four seconds."""
EXPIRES_SECONDS_MAX = 86_400
LOG_SECONDS = 10
"""Dropped messages are logged at most this often, so that a million of them do not fill the log."""
REASON_CHARS_MAX = 200
"""The most characters of a reason in the log, since it may quote the dropped message."""

log = structlog.get_logger(__name__)

_Text = Annotated[str, msgspec.Meta(max_length=100, pattern=r"\A[\w.:@-]+\Z")]


class _Headers(msgspec.Struct):
    task: _Text
    id: _Text
    retries: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    eta: datetime | None = None
    expires: datetime | None = None


class _Properties(msgspec.Struct):
    body_encoding: Literal["base64"]


class _Envelope(msgspec.Struct):
    body: str
    headers: _Headers
    properties: _Properties
    content_type: Literal["application/x-banzuke"] = msgspec.field(name="content-type")
    content_encoding: Literal["utf-8"] = msgspec.field(name="content-encoding")


UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)
"""The errors of decoding a malformed message."""


class Dropped:
    """Logs dropped messages, at most one line in ``LOG_SECONDS``."""

    def __init__(self) -> None:
        self._count = 0
        self._logged_at = -math.inf

    def record(self, task: str, error: Exception) -> None:
        """Count a dropped message of a task, or of a queue if no task could be read, and log the count now and then."""
        self._count += 1
        if time.monotonic() - self._logged_at >= LOG_SECONDS:
            log.error("message_malformed", task=task, messages=self._count, error=str(error)[:REASON_CHARS_MAX])
            self._count, self._logged_at = 0, time.monotonic()


DROPPED = Dropped()


class QoS(virtual.QoS):
    """The messages that a connection has taken and not acknowledged, kept in this process's memory."""

    def restore_unacked(self) -> list[Any]:  # type: ignore[override]  # the stubs err
        """Put unacknowledged messages back into their queues, as far as the broker accepts them.

        Tables are not put back. One that is open goes on when the worker has lost its connection for a moment, and
        would be played a second time: its player would be asked by both. The site's sweep sends the others again.

        Returns:
            An empty list. Kombu would write messages that could not be put back into a temporary file, which nobody
            deletes; the site's sweep sends their jobs again.
        """
        delivered: dict[str, Any] = self._delivered or {}
        for tag in [tag for tag, message in delivered.items() if message.headers.get("task") == TABLE_TASK]:
            del delivered[tag]
        super().restore_unacked()
        return []


class Channel(redis.Channel):
    """A connection to the broker that drops messages which are no JSON; kombu's own would raise."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.QoS = QoS  # type: ignore[assignment]  # the stubs err

    def _brpop_read(self, **options: Any) -> Any:
        """Take a message, and return True; a message that is no JSON is dropped."""
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]  # the stubs do not know it
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            DROPPED.record("unknown", error)
            return True


class Transport(redis.Transport):
    """Kombu's Redis transport, which delivers only validated messages."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str | None) -> None:
        """Pass a message to the consumer of its queue, or drop it if it is malformed."""
        if queue and (tasks := _tasks_of(queue)):
            try:
                message = envelope_read(message, queue, tasks)
            except UNREADABLE as error:
                DROPPED.record(queue, error)
                return
        super()._deliver(message, queue)


TRANSPORT_ALIASES.update(redis=f"{__name__}:Transport", rediss=f"{__name__}:Transport")


def _lines_join(arguments: tuple[Sequence[bytes], Any, Any]) -> bytes:
    return b"\n".join(arguments[0]) or b"\n"


def _lines_split(text: bytes) -> tuple[tuple[bytes, ...], dict[str, Any], dict[str, Any]]:
    return tuple(line for line in text.split(b"\n", 1) if line), {}, {}


kombu.serialization.register(SERIALIZER, _lines_join, _lines_split, CONTENT_TYPE)  # type: ignore[arg-type]  # bytes do


def _tasks_of(queue: str) -> Collection[str]:
    """Return the tasks that may be in a queue; none for queues that only the site writes to, which are not checked."""
    if queue.startswith(SELF_PING_PREFIX):
        return {SELF_PING_TASK}
    queue = queue.removeprefix(OWN_PREFIX)
    return {task for task, its in QUEUES.items() if its == queue}.union(SWEEP_TASKS if queue == REPORT_QUEUE else ())


def envelope_read(raw: Any, queue: str, tasks: Collection[str]) -> dict[str, Any]:
    """Return a new envelope with only those fields of a message that our tasks need.

    Args:
        raw: the message as kombu has read it.
        queue: the queue it comes from.
        tasks: the tasks that may be in this queue.

    Raises:
        UNREADABLE: the message is malformed, or its task does not belong in this queue.
    """
    envelope = msgspec.convert(raw, _Envelope)
    headers = envelope.headers
    if headers.task not in tasks:
        raise ValueError(f"{headers.task} is no task of this queue.")
    base64.b64decode(envelope.body, validate=True)
    return {
        "body": envelope.body,
        "content-type": envelope.content_type,
        "content-encoding": envelope.content_encoding,
        "headers": {
            **msgspec.structs.asdict(headers),
            "eta": _clamped(headers.eta, ETA_SECONDS_MAX),
            "expires": _clamped(headers.expires, EXPIRES_SECONDS_MAX),
        },
        "properties": {
            "body_encoding": envelope.properties.body_encoding,
            "correlation_id": headers.id,
            "reply_to": "",
            # A new tag: the attack is two messages with one tag, which would be acknowledged as one.
            "delivery_tag": str(uuid.uuid4()),
            "delivery_info": {"exchange": "", "routing_key": queue},
            "priority": 0,
        },
    }


def _clamped(when: datetime | None, seconds_max: float) -> str | None:
    """Return a time in ISO format, moved to at most ``seconds_max`` from now in either direction; None for None."""
    if when is None:
        return None
    now = datetime.now(UTC)
    away = (when if when.tzinfo else when.replace(tzinfo=UTC)) - now
    furthest = timedelta(seconds=seconds_max)
    return (now + max(-furthest, min(away, furthest))).isoformat()
