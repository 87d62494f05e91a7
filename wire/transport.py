"""Celery between the site and the playing workers: shared settings, sending and receiving of messages.

The broker only notifies; the database holds the state (see ``wire.jobs``), so that no match is lost with a message.
Both Celery applications, ``workers.app`` (plays and builds) and ``arena.celery`` (manages), are made here.
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
from redis import Redis, RedisError
from redis.exceptions import NoPermissionError

from wire.heartbeats import is_over
from wire.jobs import (
    BUILD_RESULT_TASK,
    JOB_QUEUES,
    JOB_TASKS,
    LANGUAGES_TASK,
    LEASE_SECONDS,
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    QUEUES,
    REPORT_QUEUE,
    TRY_RESULT_TASK,
    WORKER_BEAT_TASK,
    WireMessage,
)
from wire.message_filter import DROPPED, SERIALIZER, UNREADABLE
from wire.own_queues import OWN_PREFIX, OWN_QUEUES
from wire.redis_acl import CONTROL_EXCHANGE
from wire.retries import RequeuedTask, send_by_open_channel
from wire.signing import Signature, signature_of
from wire.tls import broker_fault, is_encrypted

log = structlog.get_logger()

# Celery warns of root because of pickle, but only JSON is accepted here. A playing worker needs root to give each bot
# its own user id and control group.
warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")

M = TypeVar("M", bound=WireMessage)

JOB_SECONDS_MAX = 2_400
"""The longest that one match or build may take; far above any honest one, since each turn has a limit."""
JOB_EXPIRES_SECONDS = 1_800
"""A worker drops a job that it takes after this time; the site's sweep has sent the job again long before."""
CLOCKS_APART_SECONDS = 600
"""How much the clocks of two machines may differ. The sender writes a message's expiry time by its own clock, and the
receiver compares it with another."""

_EXPIRES_SECONDS = {
    **dict.fromkeys(JOB_TASKS, JOB_EXPIRES_SECONDS),
    # A heartbeat that is older than the lease it was to renew says nothing.
    **dict.fromkeys((MATCH_HEARTBEAT_TASK, WORKER_BEAT_TASK), LEASE_SECONDS + CLOCKS_APART_SECONDS),
}
_LOGGED_FIELDS = {"match_id": "match", "version_id": "version", "try_id": "try", "attempt": "attempt"}
"""Fields of messages that every log line has while a message is handled, and their names in logs."""
_BRIEF = {"max_retries": 3, "interval_start": 0.1, "interval_step": 0.2, "interval_max": 0.5}
"""Kombu's retry policy: give up within seconds if the broker is down."""
_SENT_ONCE = (MATCH_RESULT_TASK, BUILD_RESULT_TASK, TRY_RESULT_TASK, LANGUAGES_TASK)
"""Tasks whose messages workers do not repeat, so that sending them is retried for long."""
PATIENCE_SECONDS = 300
"""How long sending a message of ``_SENT_ONCE`` is retried, so that no finished match is lost while the broker is away,
full or read-only.

Kombu's own retries are left out for them: kombu gives up after four seconds, and sends a message to a frozen broker
again and again.
"""
_PAUSE_SECONDS = 1.0


def undeclared_queue(name: str) -> Queue:
    """Return a queue that kombu does not declare at the broker; Redis creates its list with the first message.

    A declaration would write a table of queues that nobody reads, since every message names its queue. A full broker
    refuses that write, and a manager that starts meanwhile could never empty the queues.
    """
    return Queue(name, Exchange(""), routing_key=name, no_declare=True)


def settings(broker_url: str) -> dict[str, Any]:
    """Return the Celery settings that site and workers share; with the broker ``memory://`` messages go nowhere."""
    return {
        "broker_url": broker_url,
        # Without this, kombu accepts any certificate. The attack: somebody between the machines reads the password,
        # with which jobs and results can be forged.
        "broker_use_ssl": {"ssl_cert_reqs": ssl.CERT_REQUIRED} if is_encrypted(broker_url) else False,
        "broker_transport_options": {
            # Unacknowledged messages are kept in the memory of the process that took them: if it dies, a lease runs out
            # and the job is sent again. Kombu would store them in the broker, which a full or restarting broker
            # refuses, and which needs rights that no playing worker should have (``wire.redis_acl``).
            "ack_emulation": False,
            # One list for each queue: kombu's default is four, and workers may write to the first only.
            "priority_steps": [0],
            "socket_connect_timeout": 5,
            # A connection that is frozen, not closed, is given up after 5 s: no answer takes that long, and the next
            # heartbeat must go over a new connection before the lease runs out.
            "socket_timeout": 5,
            "socket_keepalive": True,
            # A process that waits for messages on a frozen connection gets a new one within 20 s, twice this. With
            # kombu's default it takes 51 s, in which a worker would miss its own pings and end itself.
            "health_check_interval": 10,
        },
        # The broker may be away for an hour: reconnect without somebody restarting workers by hand.
        "broker_connection_retry": True,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_channel_error_retry": True,
        # No pickle: the attack is a pickled message that runs code in the receiver. "json" is for remote control.
        "accept_content": [SERIALIZER, "json"],
        "task_serializer": "json",
        "result_serializer": "json",
        # Acknowledge after the work, and take one job at a time, so that no job waits behind another in a process.
        "task_acks_late": True,
        "worker_prefetch_multiplier": 1,
        # A job that kills its process is not delivered again: it is reported as lost (workers.lost_jobs) or its lease
        # runs out, and the site counts its attempts.
        "task_reject_on_worker_lost": False,
        "task_ignore_result": True,
        "task_store_errors_even_if_ignored": False,
        "task_soft_time_limit": JOB_SECONDS_MAX,
        "task_time_limit": JOB_SECONDS_MAX + 60,
        # A match goes on while the broker is away, and is reported later; its lease decides whether it counts.
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        # On SIGQUIT (or SIGTERM with REMAP_SIGTERM=SIGQUIT) running matches get this long; then their jobs go back into
        # the queue.
        "worker_soft_shutdown_timeout": 3.0,
        "worker_enable_soft_shutdown_on_idle": False,
        "worker_send_task_events": False,
        # Playing workers turn remote control on. The attack: a worker that was taken over stops all others by it; so
        # their broker users may receive commands, but not publish any (``wire.redis_acl``).
        "worker_enable_remote_control": False,
        "control_exchange": CONTROL_EXCHANGE,
        # For queues that expire, kombu runs a script at the broker, which playing workers may not (``wire.redis_acl``).
        "control_queue_expires": None,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "task_queues": [undeclared_queue(name) for name in (*JOB_QUEUES, *OWN_QUEUES, REPORT_QUEUE)],
        "task_create_missing_queues": True,
        "task_routes": {task: {"queue": queue} for task, queue in QUEUES.items()},
    }


def application(name: str, broker_url: str) -> Celery:
    """Return a Celery application with the shared settings."""
    app: Celery[Any] = Celery(name, task_cls=RequeuedTask)
    app.config_from_object(settings(broker_url))
    return app


@signals.celeryd_after_setup.connect
@signals.beat_init.connect
def log_broker_fault(sender: Any, instance: Any = None, **_: Any) -> None:
    """Log once why the broker cannot be reached and what to do; Celery itself only repeats the error.

    ``sender`` is the beat service, or the name of a worker, which is then ``instance``.
    """
    if fault := broker_fault((instance or sender).app.conf.broker_url):
        log.error("broker_not_reached", sentence=fault)


@signals.task_postrun.connect
def unbind_job(**_: Any) -> None:
    """Stop logging the match and attempt of a message (see ``receives``) when its task has ended.

    The handler cannot do it, since Celery logs the handler's failure only after the handler has ended.
    """
    structlog.contextvars.unbind_contextvars(*_LOGGED_FIELDS.values())


BROKER_SCHEMES = ("redis", "rediss")


def is_url(text: str, *schemes: str) -> bool:
    """Return True if a text is a URL with one of these schemes and a host, such as ``redis://host:port/0``."""
    try:
        parts = urlsplit(text)
        return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number
        return False


def send(
    app: Celery,
    task: str,
    message: WireMessage,
    *,
    give_up_soon: bool = False,
    signature: WireMessage | None = None,
    own: bool = False,
) -> None:
    """Send a message to the queue of its task.

    Args:
        app: the sender's Celery application.
        task: one of the ``*_TASK`` names of ``wire.jobs``.
        message: sent as JSON, followed by its signature.
        give_up_soon: do not retry for ``PATIENCE_SECONDS``, even if the task is sent only once.
        signature: the site's signature of a job (``wire.job_signing``); this function signs reports itself.
        own: send a job to the site's own hosts alone (``OWN_QUEUES``).

    Raises:
        kombu.exceptions.OperationalError: the broker could not be reached, even after retries.
    """
    is_patient = task in _SENT_ONCE and not give_up_soon
    ends = time.monotonic() + (PATIENCE_SECONDS if is_patient else 0)
    while True:
        try:
            return send_by_open_channel(partial(_publish, app, task, message, signature, own=own, retry=not is_patient))
        except OperationalError as error:
            if time.monotonic() >= ends:
                raise
            log.warning("broker_awaited", task=task, error=str(error))
        time.sleep(_PAUSE_SECONDS)
        if _is_answered(app.conf.broker_url, message, ends=ends):
            return


def _is_answered(broker_url: str, message: WireMessage, *, ends: float) -> bool:
    """Wait until the broker answers again; return whether the site has ended the message's lease meanwhile.

    ``ends`` is when to stop waiting, by ``time.monotonic``; the answer is then False.

    A broker that is frozen has the message already, and takes it when it goes on. Sent every few seconds until then,
    one report came fifteen times.
    """
    if not is_url(broker_url, *BROKER_SCHEMES):
        return False
    with Redis.from_url(broker_url, socket_connect_timeout=5, socket_timeout=5) as broker:
        while time.monotonic() < ends:
            try:
                return is_over(broker, getattr(message, "lease_token", ""))
            except NoPermissionError:  # its user has the rights of an earlier release
                return False
            except RedisError:
                time.sleep(_PAUSE_SECONDS)
    return False


def _publish(
    app: Celery, task: str, message: WireMessage, signature: WireMessage | None, *, own: bool, retry: bool
) -> None:
    body = msgspec.json.encode(message)
    if QUEUES[task] == REPORT_QUEUE:
        signature = signature_of(app.conf.broker_url, task, body)
    app.send_task(
        task,
        args=[body, msgspec.json.encode(signature)] if signature else [body],
        serializer=SERIALIZER,
        queue=f"{OWN_PREFIX if own else ''}{QUEUES[task]}",
        expires=_EXPIRES_SECONDS.get(task),
        retry=retry,
        retry_policy=_BRIEF,
        # Celery would add all arguments a second time, as text for its monitors, which are not used here.
        argsrepr="",
        kwargsrepr="",
    )


class Refused(Exception):  # noqa: N818 - says what the receiver has done
    """A well-formed message is dropped, since its signature is wrong or it is not valid any more. The text says why."""


def receives(
    app: Celery,
    task: str,
    kind: type[M],
    *,
    signed: Callable[[M, str, bytes, Any], M] | None = None,
    signature_kind: type[WireMessage] = Signature,
    **options: Any,
) -> Callable[[Callable[[M], None]], Callable[..., None]]:
    """Return a decorator that registers a function as the handler of a task's messages.

    While the handler runs, every log line has the match (or version) and attempt of the message. A malformed message is
    logged and dropped, as is one for which the handler raises ``Refused``: delivering it again would not help, and the
    lease of its match or build runs out.

    Args:
        app: the receiver's Celery application.
        task: one of the ``*_TASK`` names of ``wire.jobs``.
        kind: the type to decode the message into.
        signed: checks a message: takes the message, the task, the body and the received signature, and returns the
            message (perhaps with fields that the signature proves), or raises ``Refused``; None: no check.
        signature_kind: the type to decode the signature into.
        options: further options of the Celery task, such as the errors for which it is retried.
    """

    def register(handle: Callable[[M], None]) -> Callable[..., None]:
        def receive(body: bytes = b"", signature: bytes = b"null") -> None:
            try:
                message = msgspec.json.decode(body, type=kind)
                by = msgspec.json.decode(signature, type=signature_kind | None)
            except UNREADABLE as error:
                DROPPED.record(task, error)
                return
            fields = {word: getattr(message, name, None) for name, word in _LOGGED_FIELDS.items()}
            structlog.contextvars.bind_contextvars(
                **{word: value for word, value in fields.items() if value is not None}
            )
            try:
                handle(signed(message, task, body, by) if signed else message)
            except Refused as reason:
                DROPPED.record(task, reason)

        # Celery's type stubs do not allow options that are passed on.
        app.task(name=task, **options)(receive)  # type: ignore[no-untyped-call]
        return receive

    return register
