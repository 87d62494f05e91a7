"""Reads of the exhibitions that wait for a table or have one."""

from __future__ import annotations

from matches.models import Match

OPEN = Match.objects.filter(
    kind=Match.Kind.EXHIBITION, queue_class=Match.QueueClass.TABLE, state__in=[Match.State.QUEUED, Match.State.RUNNING]
)
"""The exhibitions that wait for a table or are being played."""
WAITING = OPEN.filter(state=Match.State.QUEUED, notified_at__isnull=True)
"""The exhibitions that wait in line for a free table."""
