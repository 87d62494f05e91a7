"""What puts right whatever workers or the broker have lost."""

from __future__ import annotations

from ladder.celery import app
from ladder.leases import MISSING_SECONDS, PAUSE_SECONDS, bells_missing, leases_expired, leases_renew
from matches.models import Match
from matches.services.lifecycle import match_attempt_lost
from matches.services.ringing import matches_ring
from workers.jobs import PLAY_QUEUE
from workers.transport import listening, missing_still, queue_length


def matches_sweep() -> None:
    """Take back matches whose worker is gone, and ring again for those whose message is.

    Not after a pause: while the broker, the database or we were away, nobody could be heard, and all matches would seem
    lost.

    Raises:
        django.db.OperationalError: the database is away.
        redis.exceptions.ConnectionError: the broker could not be asked what it still knows.
    """
    running = Match.objects.filter(state=Match.State.RUNNING)
    with listening(app, "matches", pause_seconds=PAUSE_SECONDS) as without_pause:
        if not without_pause:
            leases_renew(running)
            return
        silent = leases_expired(running)
    for pk in silent:
        match_attempt_lost(match_id=pk)
    queued = Match.objects.filter(state=Match.State.QUEUED)
    missing = bells_missing(queued, waiting=queue_length(app, PLAY_QUEUE))
    lost = missing_still(app, PLAY_QUEUE, missing, for_seconds=MISSING_SECONDS, within_seconds=PAUSE_SECONDS)
    matches_ring(pks=sorted(lost))
