"""How messages travel between the site and the playing workers: Celery's settings, and one way to send and to receive.

The broker is a doorbell, the database the truth (see ``wire.jobs``): nothing here may be needed for a match to
survive. Both Celery applications, ``workers.app`` (plays and builds) and ``arena.celery`` (manages), are made here.
"""

from __future__ import annotations

import ssl
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import structlog
from celery import Celery, signals
from kombu import Exchange, Queue
from kombu.exceptions import OperationalError

from wire.jobs import (
    BUILD_QUEUE,
    BUILD_RESULT_TASK,
    BUILD_TASK,
    LANGUAGES_TASK,
    LEASE_SECONDS,
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    PLAY_QUEUE,
    PLAY_TASK,
    QUEUES,
    REPORT_QUEUE,
    WORKER_BEAT_TASK,
    Message,
)
from wire.message_filter import DROPPED, LINES, UNREADABLE
from wire.redis_acl import CONTROL_EXCHANGE
from wire.retries import KeptTask, by_a_live_channel
from wire.signing import Signature, signature_of
from wire.tls import broker_fault, is_encrypted

log = structlog.get_logger()

# Celery warns of root because of pickle; only JSON is accepted here. The playing side needs root to give each bot a
# user number and a control group of its own.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

M = TypeVar("M", bound=Message)

JOB_SECONDS_MAX = 2_400
"""The longest that one match or build may take. Far above any honest one: a turn has limits of its own."""
JOB_EXPIRES_SECONDS = 1_800
"""A job nobody took in this time is dropped by whoever finds it; the sweeper has rung again long before."""
CLOCKS_APART_SECONDS = 600
"""So wrong may the clock of a playing machine be: when a message expires is written into it by its sender's clock, and
read by its taker's."""

_EXPIRES_SECONDS = {
    PLAY_TASK: JOB_EXPIRES_SECONDS,
    BUILD_TASK: JOB_EXPIRES_SECONDS,
    # Older than the lease it was to renew, a sign of life says nothing.
    MATCH_HEARTBEAT_TASK: LEASE_SECONDS + CLOCKS_APART_SECONDS,
    WORKER_BEAT_TASK: LEASE_SECONDS + CLOCKS_APART_SECONDS,
}
_ON_EVERY_LINE = {"match_id": "match", "version_id": "version", "attempt": "attempt"}
"""Fields of messages, and their names in logs."""
_BRIEF = {"max_retries": 3, "interval_start": 0.1, "interval_step": 0.2, "interval_max": 0.5}
"""Kombu's tries: nobody waits long for a broker that is down."""
_SAID_ONCE = (MATCH_RESULT_TASK, BUILD_RESULT_TASK, LANGUAGES_TASK)
PATIENCE_SECONDS = 300
"""For what is said once, so that a broker which is away, full, or may only be read loses no finished match.

Kombu's own tries are not enough. Without a connection it gives up after four seconds, and it has none when a sign of
life has just failed; and when the broker refuses a message, its tries follow each other without a pause.
"""
_PAUSE_SECONDS = 1.0


def undeclared_queue(name: str) -> Queue:
    """Return a queue of which kombu writes nothing into the broker: Redis makes its list by the first push.

    Declared, it would be noted in a table that nobody reads, since every message names its queue; but a full broker
    refuses the note, and a manager that starts then would never come to take anything out.
    """
    return Queue(name, Exchange(""), routing_key=name, no_declare=True)


def settings(broker_url: str) -> dict[str, Any]:
    """Return the Celery settings both sides share.

    Args:
        broker_url: address of Redis or Valkey, ``redis://host:port/db``; ``memory://`` sends to nobody.
    """
    return {
        "broker_url": broker_url,
        # Kombu takes any certificate unless it is told otherwise. The attack this stops: whoever stands in between gets
        # the password, with which jobs and results can be forged.
        "broker_use_ssl": {"ssl_cert_reqs": ssl.CERT_REQUIRED} if is_encrypted(broker_url) else False,
        "broker_transport_options": {
            # A taken message is noted in the memory of its taker alone: when that dies, a lease runs out and the work
            # is sent again. Kombu's notes in the broker could be refused (a full broker) or fail (one that restarts),
            # and would need rights that no playing worker should have (``wire.redis_acl``).
            "ack_emulation": False,
            # One list for each queue: by itself kombu has four, and players may write to the first only.
            "priority_steps": [0],
            "socket_connect_timeout": 5,
            # A connection that is frozen, not closed, must not hold its user for ever; no answer takes so long. It must
            # be given up before a lease runs out: the next sign of life then goes over a new connection.
            "socket_timeout": 5,
            "socket_keepalive": True,
            # Whoever waits for messages on a frozen connection has a new one within 20 s, twice this. By itself kombu
            # takes 51 s, in which a worker takes itself for deaf and ends.
            "health_check_interval": 10,
        },
        # A broker may be away for an hour: come back by yourself, without somebody restarting workers by hand.
        "broker_connection_retry": True,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_channel_error_retry": True,
        # No pickle: one from the broker would run its sender's code in the receiver. JSON is remote control.
        "accept_content": [LINES, "json"],
        "task_serializer": "json",
        "result_serializer": "json",
        # Acknowledge after the work, take one job at a time: a job must not wait behind another one's match.
        "task_acks_late": True,
        "worker_prefetch_multiplier": 1,
        # A job that kills its worker is not delivered again by the broker: it is reported as lost
        # (workers.lost_jobs) or its lease runs out, and attempts are counted.
        "task_reject_on_worker_lost": False,
        "task_ignore_result": True,
        "task_store_errors_even_if_ignored": False,
        "task_soft_time_limit": JOB_SECONDS_MAX,
        "task_time_limit": JOB_SECONDS_MAX + 60,
        # A match goes on while the broker is away and reports when it is back; its lease decides whether it counts.
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        # On SIGQUIT (or SIGTERM with REMAP_SIGTERM=SIGQUIT) running matches get this long, then they are given back.
        "worker_soft_shutdown_timeout": 3.0,
        "worker_enable_soft_shutdown_on_idle": False,
        "worker_send_task_events": False,
        # For playing workers only, which turn it on: their user may hear it and not publish it (``wire.redis_acl``), or
        # one that was taken over could stop all others.
        "worker_enable_remote_control": False,
        "control_exchange": CONTROL_EXCHANGE,
        # Kombu forgets a queue that expires by a script, and who plays may run none (``wire.redis_acl``).
        "control_queue_expires": None,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "task_queues": [undeclared_queue(name) for name in (PLAY_QUEUE, BUILD_QUEUE, REPORT_QUEUE)],
        "task_create_missing_queues": True,
        "task_routes": {task: {"queue": queue} for task, queue in QUEUES.items()},
    }


def application(name: str, broker_url: str) -> Celery:
    """Return a Celery application with the shared settings."""
    app: Celery[Any] = Celery(name, task_cls=KeptTask)
    app.config_from_object(settings(broker_url))
    return app


@signals.celeryd_after_setup.connect
@signals.beat_init.connect
def tell_of_broker(sender: Any, instance: Any = None, **_: Any) -> None:
    """Say once why the broker cannot be reached and what to do: Celery only repeats the error while it tries on.

    Args:
        sender: the clock; a worker's name.
        instance: the worker.
    """
    if fault := broker_fault((instance or sender).app.conf.broker_url):
        log.error("broker_not_reached", sentence=fault)


@signals.task_postrun.connect
def unbind_job(**_: Any) -> None:
    """Take the match and attempt of a message (``receives``) off all lines: the next one is about something else.

    Not before: Celery's own line about a handler that has failed comes when that is over.
    """
    structlog.contextvars.unbind_contextvars(*_ON_EVERY_LINE.values())


BROKER_SCHEMES = ("redis", "rediss")


def is_address(text: str, *schemes: str) -> bool:
    """Tell whether a text can be an address of one of these kinds: ``redis://user:password@host:port/0``."""
    try:
        parts = urlsplit(text)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        return False


def send(app: Celery, task: str, message: Message, *, lightly: bool = False, signature: Message | None = None) -> None:
    """Send a message to the queue of its task.

    Args:
        app: the sender's Celery application.
        task: one of the ``*_TASK`` names of ``wire.jobs``.
        message: travels as JSON, a signature behind it.
        lightly: give up soon even what others would try for minutes, since it is said once.
        signature: of a job (``wire.job_signing``); reports are signed here.

    Raises:
        kombu.exceptions.OperationalError: the broker could not be reached, not even after retries.
    """
    ends = time.monotonic() + (PATIENCE_SECONDS if task in _SAID_ONCE and not lightly else 0)
    while True:
        try:
            return by_a_live_channel(partial(_publish, app, task, message, signature))
        except OperationalError as error:
            if time.monotonic() >= ends:
                raise
            log.warning("broker_awaited", task=task, error=str(error))
            time.sleep(_PAUSE_SECONDS)


def _publish(app: Celery, task: str, message: Message, signature: Message | None) -> None:
    body = msgspec.json.encode(message)
    if QUEUES[task] == REPORT_QUEUE:
        signature = signature_of(app.conf.broker_url, task, body)
    app.send_task(
        task,
        args=[body, msgspec.json.encode(signature)] if signature else [body],
        serializer=LINES,
        queue=QUEUES[task],
        expires=_EXPIRES_SECONDS.get(task),
        retry=True,
        retry_policy=_BRIEF,
        # For Celery's own monitors, which nobody runs here: it would write all arguments down a second time.
        argsrepr="",
        kwargsrepr="",
    )


class Refused(Exception):  # noqa: N818 - says what the receiver has done
    """A message is as it should be, and yet nothing will be done with it. Its text says why."""


def receives(
    app: Celery,
    task: str,
    kind: type[M],
    *,
    signed: Callable[[M, str, bytes, Any], M] | None = None,
    signature_kind: type[Message] = Signature,
    **options: Any,
) -> Callable[[Callable[[M], None]], Callable[..., None]]:
    """Register the decorated function as the handler of a task's messages.

    While it works, every line that is logged names the match (or version) and attempt of the message. A message that
    is not what it should be is logged and dropped: delivered again it would be no better, and the lease of its match or
    build runs out by itself. So is one that the decorated function has ``Refused``.

    Args:
        app: the receiver's Celery application.
        task: one of the ``*_TASK`` names of ``wire.jobs``.
        kind: the type to decode the message into.
        signed: takes the message, the task, the body and the signature that came with it, and returns the message as it
            can be believed, or raises ``Refused``; None: no signature is asked for.
        signature_kind: the type to decode the signature into.
        options: further Celery task options, such as what to retry for.
    """

    def register(handle: Callable[[M], None]) -> Callable[..., None]:
        def receive(body: bytes = b"", signature: bytes = b"null") -> None:
            try:
                message = msgspec.json.decode(body, type=kind)
                by = msgspec.json.decode(signature, type=signature_kind | None)
            except UNREADABLE as error:
                DROPPED.tell(task, error)
                return
            about = {word: getattr(message, name, None) for name, word in _ON_EVERY_LINE.items()}
            structlog.contextvars.bind_contextvars(**{word: told for word, told in about.items() if told is not None})
            try:
                handle(signed(message, task, body, by) if signed else message)
            except Refused as reason:
                DROPPED.tell(task, reason)

        # The stubs know no task made with options that are not spelled out.
        app.task(name=task, **options)(receive)  # type: ignore[no-untyped-call]
        return receive

    return register
