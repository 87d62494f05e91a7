"""Estimates from measured speed when a waiting try begins."""

from __future__ import annotations

import math
from statistics import fmean

from django.db.models import F

from jobs.fairness import BUILD, HOUSE_BUILD, SHARES, TRY
from jobs.selectors.workers import processes_count
from ladder.models import BotVersion
from matches.models import Match
from workshop.models import Try

_MEASURED = 50
"""Number of newest tries over which their mean duration is taken."""
_TRY_SECONDS = 10.0
"""The duration that is assumed while no try has ended."""


def tries_before(*, tried: Try) -> int:
    """Return how many tries wait in the queue before a try (1 query)."""
    return Try.objects.filter(state=Try.State.WAITING, pk__lt=tried.pk).count()


def seconds_to_wait(*, before: int, own: bool) -> int | None:
    """Return in about how many seconds a waiting try begins; None while no worker takes work (5 queries at most).

    Processes take turns between all kinds of work that wait, by their shares; jobs of other kinds are assumed to take
    as long as a try. ``before`` is how many tries wait before it, ``own`` whether only the site's own hosts may take
    it.
    """
    processes = processes_count(own=own)
    if not processes:
        return None
    running = Try.objects.filter(state=Try.State.RUNNING).count()
    jobs = (before + running) * _turns_per_try()
    return math.ceil(max(0.0, jobs + 1 - processes) * _try_seconds() / processes)


def _turns_per_try() -> float:
    """Return how many jobs of all kinds are handed out for one try, by the kinds that wait now."""
    classes = {
        TRY,
        *Match.objects.filter(state=Match.State.QUEUED).order_by().values_list("queue_class", flat=True).distinct(),
    }
    houses = BotVersion.objects.filter(state=BotVersion.State.UPLOADED).order_by()
    classes |= {
        HOUSE_BUILD if is_house else BUILD for is_house in houses.values_list("bot__is_house", flat=True).distinct()
    }
    return sum(SHARES.get(name, 0) for name in classes) / SHARES[TRY]


def _try_seconds() -> float:
    """Return the mean seconds of the newest tries, from the message to a worker to the result."""
    ended = Try.objects.filter(ended_at__isnull=False, notified_at__isnull=False).order_by("-pk")
    took = ended.annotate(took=F("ended_at") - F("notified_at")).values_list("took", flat=True)[:_MEASURED]
    return fmean([span.total_seconds() for span in took] or [_TRY_SECONDS])
