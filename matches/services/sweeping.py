"""What puts right whatever workers or the broker have lost."""

from __future__ import annotations

from django.db import transaction

from ladder.celery import app
from ladder.leases import bells_lost, leases_expired
from matches.models import Match
from matches.services.lifecycle import match_attempt_lost, match_ring
from workers.jobs import PLAY_QUEUE
from workers.transport import queue_length


def matches_sweep() -> None:
    """Take back matches whose worker is gone, and ring again for those whose message is.

    Raises:
        redis.exceptions.ConnectionError: the broker could not be asked what it still knows.
    """
    for pk in leases_expired(Match.objects.filter(state=Match.State.RUNNING)):
        match_attempt_lost(match_id=pk)
    for pk in bells_lost(Match.objects.filter(state=Match.State.QUEUED), waiting=queue_length(app, PLAY_QUEUE)):
        _match_ring_again(pk)


@transaction.atomic
def _match_ring_again(pk: int) -> None:
    match = Match.objects.select_for_update().filter(pk=pk, state=Match.State.QUEUED).first()
    if match is not None:
        match_ring(match=match)
