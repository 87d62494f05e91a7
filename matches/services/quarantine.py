"""Quarantine of a worker: its results are voided and played again; ``MATCHES`` requeues the matches that it plays now.

Exhibitions only become void: their players would have to begin anew.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import Q

from common.errors import IllegalTransition
from contests.models import Contest
from core.message import Message
from matches.models import Match, Trial, TrialPair
from matches.services.lifecycle import match_repeat, match_void
from matches.services.reruns import rerun_under_way

log = structlog.get_logger(__name__)


def matches_void_and_requeue(*, worker: str, since: datetime, reason: Message) -> list[Match]:
    """Make the matches void whose results a worker has reported, and have the same matches played again.

    Each match has a transaction of its own: after a crash in the middle the same call does the rest.

    Args:
        worker: its name in its reports.
        since: results recorded earlier stay.
        reason: why; everybody may read it.

    Returns:
        The matches that are played instead, as ``match_void_and_requeue`` returns them. Those of tournaments are not
        among them: their tournament makes them.
    """
    results = Match.objects.filter(
        state=Match.State.FINISHED, result__attempt__worker=worker, result__recorded_at__gte=since
    ).exclude(contest__state=Contest.State.ARCHIVED)  # nothing changes in an archive any more
    pks = results.order_by("pk").values_list("pk", flat=True)
    requeued = []
    for pk in pks:
        try:
            requeued.append(match_void_and_requeue(pk=pk, reason=reason))
        except IllegalTransition:  # somebody else has made it void meanwhile; the other matches must follow
            log.info("match_void_already", match=pk)
    return [match for match in requeued if match]


@transaction.atomic
def match_void_and_requeue(*, pk: int, reason: Message) -> Match | None:
    """Make a match void and queue a new one with the same seats, seed and options, under the rules of today.

    Args:
        pk: key of the match.
        reason: why; everybody may read it.

    Returns:
        The new match, of the same kind, which links to the void one. For a re-run, the re-run of the same original that
        is in flight already, if there is one. None for a match of a private test that has ended, since no other is
        needed, for one of a tournament, whose next step makes another one if its table is still open, and for an
        exhibition, whose players have gone.

    Raises:
        IllegalTransition: it is void already.
    """
    match = Match.objects.get(pk=pk)
    # Lock the private test before its match, in the order of ``trials.trial_step``: else two could deadlock.
    elsewhere = (Match.Kind.TOURNAMENT, Match.Kind.EXHIBITION)
    is_needed = _trial_goes_on(match) if match.kind == Match.Kind.TRIAL else match.kind not in elsewhere
    match_void(match=match, reason=reason)
    if not is_needed:
        return None
    if match.original_id:
        original = Match.objects.select_for_update(no_key=True).get(pk=match.original_id)
        if under_way := rerun_under_way(original=original):
            return under_way
    # A worker may have played thousands of matches between people's bots. In the queue classes of new matches they
    # would count as enough of these: nothing else would be paired, and new versions would play last.
    queue_class = Match.QueueClass.REPLACED if match.queue_class in Match.VISITORS else match.queue_class
    # If waiting matches have other rules than their game has now, the sweeper requeues them or makes them void.
    new = match_repeat(match=match, queue_class=queue_class, original=match.original, replaces=match)
    TrialPair.objects.filter(first=match).update(first=new)
    TrialPair.objects.filter(second=match).update(second=new)
    return new


def _trial_goes_on(match: Match) -> bool:
    """Say whether the private test of a match is still running; a running one is locked until the transaction ends."""
    pairs = TrialPair.objects.filter(Q(first=match) | Q(second=match))
    return bool(
        Trial.objects.select_for_update(no_key=True).filter(pk__in=pairs.values("trial"), state=Trial.State.RUNNING)
    )
