"""Hands out jobs to workers: the only place that sends the first message of a queued match, build or try.

This module knows none of them. An app registers its kind of work with ``work_register``: which of its rows wait, and
how their messages are sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import structlog
from django.db import transaction

from common.queries.sql import rows_update
from jobs.fairness import Job, jobs_choose
from jobs.files.storage import stores_full, stores_problem
from jobs.locks import lock_register
from jobs.selectors.workers import processes_count

log = structlog.get_logger(__name__)

_queue_lock = lock_register(1, "handing out jobs")


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work for workers, such as builds."""

    classes: frozenset[str]
    """Its queue classes, among those of ``jobs.fairness.SHARES``."""
    is_due: Callable[[Callable[[], int]], bool]
    """Returns whether enough of it waits to be worth locking the queue, given a function that counts the processes of
    the workers. Called often, so it must be cheap."""
    in_flight: Callable[[], Iterable[tuple[Job, bool]]]
    """Returns the jobs that wait or run and are not held back, each with whether its message has been sent."""
    notify: Callable[[Sequence[int]], None]
    """Sends the messages of jobs to the workers, given their keys in order."""


_works: list[Work] = []


def work_register(work: Work) -> None:
    """Register another kind of work, which the queue hands out from now on; for ``AppConfig.ready``."""
    _works.append(work)


def queue_announce() -> None:
    """Call ``queue_dispatch`` when the transaction is committed: a job waits now, or a worker has become free.

    An error is logged and not raised: the timetable calls ``queue_dispatch`` again within seconds.
    """
    transaction.on_commit(queue_dispatch, robust=True)


def queue_dispatch() -> int:
    """Hand out as many jobs as the workers can take, chosen by ``jobs.fairness``.

    Jobs are handed out in batches, since one job costs nearly as much as many. No process waits for a batch: each has
    a spare job meanwhile. Nothing is handed out while the disk is full, the data folder refuses files or the bucket is
    away: no bot could be fetched and no replay stored, and all jobs would use up their attempts.

    Returns:
        How many jobs were handed out.
    """
    processes = cache(processes_count)
    # Matches register last and are the most jobs: where they are due, nobody asks about builds and tries.
    if not any(work.is_due(processes) for work in reversed(_works)):
        return 0
    if full := stores_full():
        log.error("disk_full", problem=full)
        return 0
    if problem := stores_problem():
        log.error("store_away", problem=problem)
        return 0
    with transaction.atomic():
        # Two processes at once would both see the same free workers and hand out twice as much.
        lock = _queue_lock()
        jobs = [job for work in _works for job in work.in_flight()]
        chosen, lock.ahead = jobs_choose(
            waiting=(job for job, is_sent in jobs if not is_sent),
            in_flight=(job for job, is_sent in jobs if is_sent),
            ahead=lock.ahead,
            processes=processes(),
            processes_own=processes_count(own=True) if any(job.is_own for job, _ in jobs) else None,
        )
        if chosen:
            rows_update([lock], ["ahead"])
            for work in _works:
                if keys := [job.pk for job in chosen if job.queue_class in work.classes]:
                    work.notify(keys)
    return len(chosen)
