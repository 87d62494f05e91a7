"""Repair of exhibitions in flight: lost workers and lost messages."""

from __future__ import annotations

from contests.selectors.contests import own_hosts_only
from exhibitions.selectors.queue import OPEN
from exhibitions.services.dispatching import tables_notify
from exhibitions.services.opening import visitors_forget
from jobs.services.sweeping import leased_sweep
from matches.models import Match
from matches.services.lifecycle import match_attempt_lost
from wire.jobs import TABLE_QUEUE


def tables_sweep() -> None:
    """Make exhibitions void whose worker is gone, send again the messages that the broker lost, and forget guests."""
    visitors_forget()
    leased_sweep(
        queue=TABLE_QUEUE,
        running=OPEN.filter(state=Match.State.RUNNING),
        queued=OPEN.filter(state=Match.State.QUEUED),
        own=own_hosts_only(at="contest"),
        attempt_end=lambda pk: match_attempt_lost(match_id=pk),
        notify=lambda pks: tables_notify(pks=pks),
    )
