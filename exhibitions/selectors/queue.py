"""Reads of the line for tables."""

from __future__ import annotations

from dataclasses import dataclass

from jobs.selectors.workers import tables_count
from matches.models import Match

OPEN = Match.objects.filter(
    kind=Match.Kind.EXHIBITION, queue_class=Match.QueueClass.TABLE, state__in=[Match.State.QUEUED, Match.State.RUNNING]
)
"""The exhibitions that wait for a table or are being played."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of the arena."""

    taken: int
    """How many exhibitions have a table, or are being given one."""
    tables: int
    """How many tables the active workers hold."""
    waiting: int
    """How many exhibitions wait in line."""


def tables_now() -> Tables:
    """Return the tables of the arena (3 queries)."""
    taken = OPEN.filter(notified_at__isnull=False).count()
    return Tables(taken, tables_count(), OPEN.filter(notified_at__isnull=True).count())
