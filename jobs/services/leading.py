"""Chooses which of several processes of the timetable sends the tasks that are due: the leader, by the database.

While the database is away, all functions raise ``django.db.OperationalError``.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db.models import Q
from django.db.models.functions import Now

from jobs.models import TimetableLead

LEAD_SECONDS = 10
"""A leader that has not asked for this long counts as ended, and another process may lead."""
_LEAD = 1
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


def timetable_lead(*, name: str) -> bool:
    """Take or keep the lead for ``LEAD_SECONDS``, and return whether this process has it (1 or 2 queries).

    Only the database's clock counts, since those of two machines may differ. No other process may have this name.
    """
    free = Q(holder=name) | Q(ends_at__lt=Now())
    if _move(name, free):
        return True
    _, created = TimetableLead.objects.get_or_create(pk=_LEAD, defaults={"ends_at": _NEVER})
    return created and _move(name, free)


def timetable_lead_end(*, name: str) -> None:
    """Give the lead up at the end of a process, so that another need not wait; without effect if it has none."""
    TimetableLead.objects.filter(pk=_LEAD, holder=name).update(ends_at=_NEVER)


def _move(name: str, free: Q) -> bool:
    ends_at = Now() + timedelta(seconds=LEAD_SECONDS)
    return TimetableLead.objects.filter(free, pk=_LEAD).update(holder=name, ends_at=ends_at) == 1
