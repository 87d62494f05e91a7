"""Workers and attempts for tests, as the services leave them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from core import __version__
from jobs.leases import token_new
from jobs.models import Worker
from matches.models import Attempt, Match


def make_worker(name: str = "play@one", **fields: Any) -> Worker:
    """Make an active worker with two processes that has just sent a beat."""
    row = {
        "host": name.partition("@")[2],
        "version": __version__,
        "backend": "bubblewrap",
        "languages": ["python", "c"],
        "cores": 2,
        "processes": 2,
        "busy": 1,
        "canary_ms": 12.5,
        "cpu_percent": 50.0,
        "load": 1.0,
        "started_at": timezone.now() - timedelta(hours=1),
        "last_seen_at": timezone.now(),
    }
    return Worker.objects.create(name=name, **row | fields)


def make_attempt(
    match: Match, ending: str, *, ended_at: datetime, waited: float = 2.0, played: float = 20.0
) -> Attempt:
    """Make the next attempt of a match, with its phases in seconds."""
    started_at = ended_at - timedelta(seconds=played)
    attempt = Attempt.objects.create(
        match=match,
        number=match.attempts.count() + 1,
        lease_token=token_new(),
        worker="play@one",
        started_at=started_at,
        ended_at=ended_at,
        ending=ending,
    )
    Attempt.objects.filter(pk=attempt.pk).update(queued_at=started_at - timedelta(seconds=waited))
    return attempt
