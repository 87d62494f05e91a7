"""What puts right whatever workers or the broker have lost, the same for all that is handed out under a lease."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db.models import QuerySet

from jobs.celery_app import app
from jobs.coordination import listening, missing_still, queue_length
from jobs.leases import (
    MISSING_SECONDS,
    PAUSE_SECONDS,
    LeasedT,
    leases_expired,
    leases_renew,
    messages_missing,
)


def leased_sweep(
    *,
    queue: str,
    running: QuerySet[LeasedT],
    queued: QuerySet[LeasedT],
    take_back: Callable[[int], object],
    notify: Callable[[Sequence[int]], object],
) -> None:
    """Take back what is worked on by a worker that is gone, and ring again for whose message is.

    Not after a pause: while the broker, the database or we were away, nobody could be heard, and all would seem lost.

    Args:
        queue: the broker's, in which the messages wait.
        running: the rows that are being worked on.
        queued: those that wait for a worker.
        take_back: ends the attempt of a row, given its key.
        notify: sends the messages of rows again, given their keys in order; of none, too.

    Raises:
        django.db.OperationalError: the database is away.
        redis.exceptions.ConnectionError: the broker could not be asked what it still knows.
    """
    with listening(app, queue, pause_seconds=PAUSE_SECONDS) as without_pause:
        if not without_pause:
            leases_renew(running)
            return
        silent = leases_expired(running)
    for pk in silent:
        take_back(pk)
    missing = messages_missing(queued, waiting=queue_length(app, queue))
    lost = missing_still(app, queue, missing, for_seconds=MISSING_SECONDS, within_seconds=PAUSE_SECONDS)
    notify(sorted(lost))
