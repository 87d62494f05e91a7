"""Repair of matches in flight: lost workers, lost messages, and rules that an upgrade has changed."""

from __future__ import annotations

from contests.selectors.contests import own_hosts_only
from jobs.services.sweeping import leased_sweep
from matches.models import Match
from matches.selectors.matches import matches_of_older_rules
from matches.services.lifecycle import match_attempt_lost, match_requeue_by_new_rules
from matches.services.notifying import matches_notify
from wire.jobs import PLAY_QUEUE


def matches_sweep() -> None:
    """Requeue matches whose worker is gone, and send again the messages that the broker lost; see ``leased_sweep``.

    Matches queued under older rules get a new attempt under today's: workers refuse rules that they do not have.
    """
    for pk in matches_of_older_rules():
        match_requeue_by_new_rules(match_id=pk)
    # The app of exhibitions sweeps those.
    processes = Match.objects.exclude(queue_class=Match.QueueClass.TABLE)
    leased_sweep(
        queue=PLAY_QUEUE,
        running=processes.filter(state=Match.State.RUNNING),
        queued=processes.filter(state=Match.State.QUEUED),
        own=own_hosts_only(at="contest"),
        attempt_end=lambda pk: match_attempt_lost(match_id=pk),
        notify=lambda pks: matches_notify(pks=pks),
    )
