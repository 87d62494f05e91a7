"""What puts right whatever workers or the broker have lost of matches."""

from __future__ import annotations

from ladder.services.sweeping import leased_sweep
from matches.models import Match
from matches.services.lifecycle import match_attempt_lost
from matches.services.ringing import matches_ring
from workers.jobs import PLAY_QUEUE


def matches_sweep() -> None:
    """Take back matches whose worker is gone, and ring again for those whose message is; see ``leased_sweep``."""
    leased_sweep(
        queue=PLAY_QUEUE,
        running=Match.objects.filter(state=Match.State.RUNNING),
        queued=Match.objects.filter(state=Match.State.QUEUED),
        take_back=lambda pk: match_attempt_lost(match_id=pk),
        ring=lambda pks: matches_ring(pks=pks),
    )
