"""What is let in from a queue, before Celery sees it: kombu and Celery trust whoever may write there, and we do not.

The attacks that this stops come from a worker that was taken over. One message that is no JSON, or has a list where
Celery looks for a name, ended the process that took it: the managing worker, with ``make run`` the whole arena. Further
tasks written into a report (callbacks, chains, chords) were sent by the site, with its rights. A million reports to be
handled in the year 9999 waited in its memory, where no queue shows them.

So an envelope is not passed on but made anew from the few things that it has to say. What cannot be read is dropped.
"""

from __future__ import annotations

import base64
import json
import math
import time
import uuid
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

import msgspec
import structlog
from kombu.transport import redis

from wire.jobs import ECHO_PREFIX, ECHO_TASK, QUEUES, REPORT_QUEUE, SWEEP_TASKS

ETA_SECONDS_MAX = 10
"""No message is to be handled later than this from now. The site's own tries of something again take four."""
EXPIRES_SECONDS_MAX = 86_400
LINE_SECONDS = 10
"""A line at most so often tells what was dropped: a million messages must not fill the log."""
WORDS_MAX = 200
"""Of the reason in such a line, which may quote what was dropped."""

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
    content_type: Literal["application/json"] = msgspec.field(name="content-type")
    content_encoding: Literal["utf-8"] = msgspec.field(name="content-encoding")


_Body = tuple[Annotated[list[dict[str, Any]], msgspec.Meta(max_length=2)], Any, Any]
"""A message, if the task has one, and its signature, if it has that; and what none of our tasks has: named arguments,
and tasks to go on with."""
UNREADABLE = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


class Dropped:
    """Tells of messages that were dropped."""

    def __init__(self) -> None:
        self._count = 0
        self._told_at = -math.inf

    def tell(self, task: str, error: Exception) -> None:
        """Log one that was dropped, or count it for the next line.

        Args:
            task: or the queue, where no task could be read.
            error: why.
        """
        self._count += 1
        if time.monotonic() - self._told_at >= LINE_SECONDS:
            log.error("message_malformed", task=task, messages=self._count, error=str(error)[:WORDS_MAX])
            self._count, self._told_at = 0, time.monotonic()


DROPPED = Dropped()


class Channel(redis.Channel):
    """A connection that lets in what it can read."""

    def basic_consume(self, queue: str, *args: Any, **options: Any) -> str:
        """Have the messages of a queue delivered."""
        tag: str = super().basic_consume(queue, *args, **options)
        if tasks := _tasks_of(queue):
            callbacks: dict[str, Callable[[Any], None]] = self.connection._callbacks  # type: ignore[assignment]
            callbacks[queue] = _readable_only(callbacks[queue], queue, tasks)
        return tag

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        """Remember which broadcasts to hear; write nothing.

        Kombu would write into the broker which queue gets what. None of us reads it, since every message names its
        queue; but a full broker refuses it, and whoever starts or connects anew would never come to take anything out.
        """
        if self.typeof(exchange).type == "fanout":
            self._fanout_queues[queue] = (exchange, routing_key)  # type: ignore[attr-defined]

    def _brpop_read(self, **options: Any) -> Any:
        """Take a message; one that is no JSON has been taken, too."""
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]  # the stubs do not know it
        except (json.JSONDecodeError, RecursionError) as error:
            DROPPED.tell("unknown", error)
            return True


def read_carefully() -> None:
    """Have all connections of this process let in only what they can read."""
    redis.Transport.Channel = Channel


def _tasks_of(queue: str) -> Collection[str]:
    """Return the tasks of a queue that playing workers may write to; none for those of the site alone."""
    if queue.startswith(ECHO_PREFIX):
        return {ECHO_TASK}
    return {task for task, its in QUEUES.items() if its == queue}.union(SWEEP_TASKS if queue == REPORT_QUEUE else ())


def _readable_only(deliver: Callable[[Any], None], queue: str, tasks: Collection[str]) -> Callable[[Any], None]:
    def deliver_readable(raw: Any) -> None:
        try:
            message = envelope_read(raw, queue, tasks)
        except UNREADABLE as error:
            DROPPED.tell(queue, error)
        else:
            deliver(message)

    return deliver_readable


def envelope_read(raw: Any, queue: str, tasks: Collection[str]) -> dict[str, Any]:
    """Return a message with nothing in it but what our tasks need.

    Args:
        raw: as kombu has read it.
        queue: where it comes from.
        tasks: those of this queue.

    Raises:
        UNREADABLE: it has not the form of our messages, or a task that is no matter of this queue.
    """
    envelope = msgspec.convert(raw, _Envelope)
    headers = envelope.headers
    if headers.task not in tasks:
        raise ValueError(f"{headers.task} is no task of this queue.")
    return {
        "body": base64.b64encode(_body(base64.b64decode(envelope.body, validate=True))).decode(),
        "content-type": envelope.content_type,
        "content-encoding": envelope.content_encoding,
        "headers": {
            "task": headers.task,
            "id": headers.id,
            "retries": headers.retries,
            "eta": _not_far(headers.eta, ETA_SECONDS_MAX),
            "expires": _not_far(headers.expires, EXPIRES_SECONDS_MAX),
        },
        "properties": {
            "body_encoding": envelope.properties.body_encoding,
            "correlation_id": headers.id,
            "reply_to": "",
            # Not its own: two messages with one tag would be acknowledged as one.
            "delivery_tag": str(uuid.uuid4()),
            "delivery_info": {"exchange": "", "routing_key": queue},
            "priority": 0,
        },
    }


def _body(text: bytes) -> bytes:
    message, _, _ = msgspec.json.decode(text, type=_Body)
    body = msgspec.json.encode((message, {}, {}))
    # Kombu would make an object of what stands beside it. It is the name of a field: quotes within texts are escaped.
    if b'"__type__":' in body:
        raise ValueError("No message of ours has a field __type__.")
    return body


def _not_far(when: datetime | None, seconds_max: float) -> str | None:
    """Return a time as text, and one further from now than that as one so far from now."""
    if when is None:
        return None
    now = datetime.now(UTC)
    away = (when if when.tzinfo else when.replace(tzinfo=UTC)) - now
    furthest = timedelta(seconds=seconds_max)
    return (now + max(-furthest, min(away, furthest))).isoformat()
