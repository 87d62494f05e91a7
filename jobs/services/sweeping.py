"""The sweep over leased rows: ends attempts of silent workers, and sends lost messages again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import Q, QuerySet

from jobs.celery_app import app
from jobs.coordination import listened_without_pause, missing_for, queue_length, reports_pile_up
from jobs.leases import (
    MISSING_SECONDS,
    PAUSE_SECONDS,
    LeasedT,
    leases_expired,
    leases_renew,
    messages_missing,
)
from jobs.services.heartbeats import heartbeats_handle
from wire.own_queues import OWN_PREFIX


def leased_sweep(
    *,
    queue: str,
    running: QuerySet[LeasedT],
    queued: QuerySet[LeasedT],
    own: Q,
    attempt_end: Callable[[int], object],
    notify: Callable[[Sequence[int]], object],
) -> None:
    """End the attempts of workers that have fallen silent, and send the messages that were lost once more.

    After a pause in listening (the broker, the database or this process was away) all leases are renewed instead:
    reports could not arrive, so every worker would look silent. So they are while reports pile up: a worker that has
    ended a match sends no more heartbeats, and its result may wait for longer than a lease lasts.

    Args:
        queue: name of the broker's queue in which the messages wait.
        running: the rows on which workers work.
        queued: the rows that wait for a worker.
        own: a condition on rows: their messages wait in the queue for the site's own hosts (``wire.own_queues``).
        attempt_end: ends the current attempt of a row, given its key.
        notify: sends the messages of rows, given their keys in order; called with an empty list, too.

    Raises:
        django.db.OperationalError: the database is away.
        redis.exceptions.ConnectionError: the broker could not be asked how many messages it holds.
    """
    heartbeats_handle()  # no lease runs out while its heartbeat waits to be read
    with listened_without_pause(app, queue, pause_seconds=PAUSE_SECONDS) as without_pause:
        if not without_pause or reports_pile_up(app):
            leases_renew(running)
            return
        silent = leases_expired(running)
    for pk in silent:
        attempt_end(pk)
    missing = messages_missing(queued.exclude(own), waiting=queue_length(app, queue))
    missing |= messages_missing(queued.filter(own), waiting=queue_length(app, f"{OWN_PREFIX}{queue}"))
    lost = missing_for(app, queue, missing, for_seconds=MISSING_SECONDS, within_seconds=PAUSE_SECONDS)
    notify(sorted(lost))
