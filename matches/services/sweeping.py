"""What puts right whatever workers, the broker or an upgrade have spoilt of matches that are under way."""

from __future__ import annotations

from jobs.services.sweeping import leased_sweep
from matches.models import Match
from matches.selectors.matches import matches_of_older_rules
from matches.services.lifecycle import match_attempt_lost, match_rules_renew
from matches.services.ringing import matches_ring
from wire.jobs import PLAY_QUEUE


def matches_sweep() -> None:
    """Take back matches whose worker is gone, and ring again for those whose message is; see ``leased_sweep``.

    Those that have waited since before an upgrade are handed out anew: workers refuse to play by other rules than they
    know.
    """
    for pk in matches_of_older_rules():
        match_rules_renew(match_id=pk)
    leased_sweep(
        queue=PLAY_QUEUE,
        running=Match.objects.filter(state=Match.State.RUNNING),
        queued=Match.objects.filter(state=Match.State.QUEUED),
        attempt_end=lambda pk: match_attempt_lost(match_id=pk),
        notify=lambda pks: matches_ring(pks=pks),
    )
