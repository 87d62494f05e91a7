"""Hands out jobs to workers: the only place that sends the first message of a queued match, build or try.

This module knows none of them. An app registers its kind of jobs with ``kind_register``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import structlog
from django.db import transaction

from common.queries.sql import rows_update
from jobs.fairness import jobs_choose
from jobs.files.storage import stores_full, stores_problem
from jobs.locks import lock_register
from jobs.selectors.workers import processes_count
from jobs.services.life import JobLife

log = structlog.get_logger(__name__)

_queue_lock = lock_register(1, "handing out jobs")


_kinds: list[JobLife[Any, Any, Any]] = []


def kind_register(kind: JobLife[Any, Any, Any]) -> None:
    """Register another kind of jobs, which the queue hands out from now on; for ``AppConfig.ready``."""
    _kinds.append(kind)


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
    if not any(kind.is_due(processes) for kind in reversed(_kinds)):
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
        jobs = [job for kind in _kinds for job in kind.in_flight()]
        chosen, lock.ahead = jobs_choose(
            waiting=(job for job, is_sent in jobs if not is_sent),
            in_flight=(job for job, is_sent in jobs if is_sent),
            ahead=lock.ahead,
            processes=processes(),
            processes_own=processes_count(own=True) if any(job.is_own for job, _ in jobs) else None,
        )
        if chosen:
            rows_update([lock], ["ahead"])
            for kind in _kinds:
                if keys := [job.pk for job in chosen if job.queue_class in kind.classes]:
                    kind.notify(keys)
    return len(chosen)
