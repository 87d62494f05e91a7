"""What is let in from a queue, before Celery sees it: kombu and Celery trust whoever may write there, and we do not.

The attacks that this stops come from a worker that was taken over. One message that is no JSON, or has a list where
Celery looks for a name, ended the process that took it: the managing worker, with ``make run`` the whole arena. Further
tasks written into a report (callbacks, chains, chords) were sent by the site, with its rights. A million reports to be
handled in the year 9999 waited in its memory, where no queue shows them.

So an envelope is not passed on but made anew from the few things that it has to say. What cannot be read is dropped.
A body has no form in which further tasks could stand: it is a message in JSON, and behind a line feed its signature.
Kombu and Celery pass it on as bytes, and who handles it decodes it, once (``wire.transport``).
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

from wire.jobs import ECHO_PREFIX, ECHO_TASK, QUEUES, REPORT_QUEUE, SWEEP_TASKS

LINES = "banzuke"
"""Kombu's name of how our messages are written."""
LINES_TYPE = "application/x-banzuke"
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
    content_type: Literal["application/x-banzuke"] = msgspec.field(name="content-type")
    content_encoding: Literal["utf-8"] = msgspec.field(name="content-encoding")


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


class QoS(virtual.QoS):
    """The messages that a connection has taken, in this process's memory."""

    def restore_unacked(self) -> list[Any]:  # type: ignore[override]  # the stubs err
        """Give back what is taken and not done, as well as the broker lets; the sweeper sends the rest again.

        Returns:
            Nothing. Kombu writes what could not be given back into a file in the folder of temporary files, for ever.
        """
        super().restore_unacked()
        return []


class Channel(redis.Channel):
    """A connection to the broker that survives what is no JSON."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.QoS = QoS  # type: ignore[assignment]  # the stubs err

    def _brpop_read(self, **options: Any) -> Any:
        """Take a message; one that is no JSON has been taken, too."""
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]  # the stubs do not know it
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            DROPPED.tell("unknown", error)
            return True


class Transport(redis.Transport):
    """Kombu's Redis, which delivers only what Celery can read."""

    Channel = Channel

    def _deliver(self, message: Any, queue: str | None) -> None:
        """Hand a message to the consumer of its queue, or drop it."""
        if queue and (tasks := _tasks_of(queue)):
            try:
                message = envelope_read(message, queue, tasks)
            except UNREADABLE as error:
                DROPPED.tell(queue, error)
                return
        super()._deliver(message, queue)


TRANSPORT_ALIASES.update(redis=f"{__name__}:Transport", rediss=f"{__name__}:Transport")


def _lines_join(arguments: tuple[Sequence[bytes], Any, Any]) -> bytes:
    return b"\n".join(arguments[0]) or b"\n"


def _lines_split(text: bytes) -> tuple[tuple[bytes, ...], dict[str, Any], dict[str, Any]]:
    return tuple(line for line in text.split(b"\n", 1) if line), {}, {}


kombu.serialization.register(LINES, _lines_join, _lines_split, LINES_TYPE)  # type: ignore[arg-type]  # bytes do


def _tasks_of(queue: str) -> Collection[str]:
    """Return the tasks of a queue that playing workers may write to; none for those of the site alone."""
    if queue.startswith(ECHO_PREFIX):
        return {ECHO_TASK}
    return {task for task, its in QUEUES.items() if its == queue}.union(SWEEP_TASKS if queue == REPORT_QUEUE else ())


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
    base64.b64decode(envelope.body, validate=True)
    return {
        "body": envelope.body,
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


def _not_far(when: datetime | None, seconds_max: float) -> str | None:
    """Return a time as text, and one further from now than that as one so far from now."""
    if when is None:
        return None
    now = datetime.now(UTC)
    away = (when if when.tzinfo else when.replace(tzinfo=UTC)) - now
    furthest = timedelta(seconds=seconds_max)
    return (now + max(-furthest, min(away, furthest))).isoformat()
