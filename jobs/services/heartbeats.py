"""Handles heartbeats, and tells workers whose leases have ended."""

from __future__ import annotations

from functools import partial

import structlog
from django.db import InternalError, OperationalError, transaction
from redis import RedisError

from jobs.celery_app import app
from jobs.coordination import heartbeats_received, leases_end
from jobs.report_auth import HEARTBEAT_HANDLERS
from wire.transport import BROKER_SCHEMES, is_url, unbind_job

log = structlog.get_logger(__name__)


def heartbeats_handle() -> int:
    """Handle the newest heartbeat of each lease and worker since the last call; return how many there were.

    One that is lost because the database is away comes again in a few seconds.

    Raises:
        django.db.OperationalError, django.db.InternalError: the database is away, or read-only.
        redis.exceptions.RedisError: the broker could not be reached.
    """
    handled = 0
    if not is_url(app.conf.broker_url, *BROKER_SCHEMES):
        return handled
    for heartbeat in heartbeats_received(app):
        if handle := HEARTBEAT_HANDLERS.get(heartbeat.task):
            try:
                handle(heartbeat.body, heartbeat.signature)
            except (OperationalError, InternalError, RedisError):
                raise
            except Exception:
                # The attack: a host writes a heartbeat that no handler bears, and neither the heartbeats of others are
                # handled nor the sweeps done that begin with them.
                log.exception("heartbeat_failed", task=heartbeat.task)
            finally:
                unbind_job()  # later lines of a sweep are about other jobs
            handled += 1
    return handled


def lease_end_announce(*, lease_token: str) -> None:
    """Tell a worker, when the transaction is committed, that its lease has ended, so that it ends its table.

    An error is logged and not raised: the answer to the next heartbeat tells it again.
    """
    if lease_token:
        transaction.on_commit(partial(leases_end, app, [lease_token]), robust=True)
