"""Sends messages of a worker that may get lost, and its heartbeats."""

from __future__ import annotations

from functools import cache

import structlog
from celery import Celery
from kombu.exceptions import OperationalError
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import NoPermissionError, RedisError
from redis.retry import Retry

from wire.heartbeats import heartbeat_write
from wire.jobs import WireMessage
from wire.transport import send
from workers.fork_lock import fork_lock

log = structlog.get_logger()


@cache
def brief_broker(broker_url: str) -> Redis:
    """Return this process's connection with short timeouts, for heartbeats, live matches and the site's key.

    It never retries, since a retry could add turns of a match to its stream twice.
    """
    once = Retry(NoBackoff(), 0)
    return Redis.from_url(broker_url, socket_connect_timeout=2, socket_timeout=2, retry=once)


def send_best_effort(app: Celery, task: str, message: WireMessage) -> None:
    """Send a message that may get lost; if the broker cannot be reached, only log that."""
    with fork_lock:
        try:
            send(app, task, message, give_up_soon=True)
        except OperationalError as error:
            log.warning("report_not_sent", task=task, error=str(error))


def heartbeat_send(app: Celery, task: str, message: WireMessage) -> bool:
    """Write a heartbeat and return whether the site has ended its lease; if the broker is away, log that, return False.

    A broker whose users have the rights of an earlier release takes it as a message, as that release sent it.
    """
    url = app.conf.broker_url
    try:
        with fork_lock:
            return heartbeat_write(brief_broker(url), url, task, message)
    except NoPermissionError:
        send_best_effort(app, task, message)
    except RedisError as error:
        log.warning("report_not_sent", task=task, error=str(error))
    return False
