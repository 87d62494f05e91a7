"""What a worker that is not trusted any more has played, and plays: taken back, or taken out and played again."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.db.models import Q

from common.errors import IllegalTransition
from games.registry import game_named
from matches.models import Match, Trial, TrialPair
from matches.services.lifecycle import match_requeue, match_void, matches_create
from matches.services.reruns import rerun_under_way

log = structlog.get_logger(__name__)


def matches_requeue(*, worker: str) -> int:
    """Give everything that a worker plays now to others; return how many matches."""
    playing = Match.objects.filter(state=Match.State.RUNNING, attempts__worker=worker, attempts__ending="")
    return sum(match_requeue(match_id=pk, worker=worker) for pk in playing.distinct().values_list("pk", flat=True))


def matches_void_and_requeue(*, worker: str, since: datetime, reason: str) -> list[Match]:
    """Take out the results that a worker has reported, and have the same matches played again by others.

    Each in a transaction of its own: after a crash in the middle the same call does the rest.

    Args:
        worker: its name in its reports.
        since: results recorded before are believed.
        reason: a sentence that everybody may read.

    Returns:
        The matches that are played instead, as ``match_void_and_requeue`` returns them.
    """
    results = Match.objects.filter(
        state=Match.State.FINISHED, result__attempt__worker=worker, result__recorded_at__gte=since
    )
    pks = results.order_by("pk").values_list("pk", flat=True)
    return [new for pk in pks if (new := _replaced_unless_void(pk, reason))]


def _replaced_unless_void(pk: int, reason: str) -> Match | None:
    try:
        return match_void_and_requeue(pk=pk, reason=reason)
    except IllegalTransition:  # somebody else has taken it out meanwhile; the others must not stay in for that
        log.info("match_void_already", match=pk)
        return None


@transaction.atomic
def match_void_and_requeue(*, pk: int, reason: str) -> Match | None:
    """Take a match out and have the same pairing played again: same seats, seed and options, by the rules of now.

    Args:
        pk: of the match.
        reason: a sentence that everybody may read.

    Returns:
        The new match, of the same kind, with a link to the one it replaces; of a re-run the one that is in flight
        already, if there is one. A private test goes on with the new match; None: it has ended, and needs no more.

    Raises:
        IllegalTransition: it is void already.
    """
    match = Match.objects.get(pk=pk)
    # First, as whoever ends the test: the other way round each might wait for the other.
    is_needed = match.kind != Match.Kind.TRIAL or _trial_goes_on(match)
    match_void(match=match, reason=reason)
    if not is_needed:
        return None
    if match.original_id:
        original = Match.objects.select_for_update(no_key=True).get(pk=match.original_id)
        if under_way := rerun_under_way(original=original):
            return under_way
    new = Match(
        game=match.game,
        rules_version=game_named(match.game).rules_version,
        options=match.options,
        seed=match.seed,
        encounter=match.encounter,
        kind=match.kind,
        queue_class=_line_again(match),
        original=match.original,
        replaces=match,
    )
    matches_create(tables=[(new, match.seats.order_by("index").values_list("version", flat=True))])
    TrialPair.objects.filter(first=match).update(first=new)
    TrialPair.objects.filter(second=match).update(second=new)
    return new


def _line_again(match: Match) -> str:
    """Return where a match waits that is played again.

    A worker may have played thousands in which people's bots met. In the lines of new matches they would be taken for
    enough of these: nothing else would be paired, and new versions would play last.
    """
    return Match.QueueClass.REPLACED if match.queue_class in Match.VISITORS else match.queue_class


def _trial_goes_on(match: Match) -> bool:
    """Say whether the private test of a match is still played; if so it stays locked until the transaction ends."""
    pairs = TrialPair.objects.filter(Q(first=match) | Q(second=match))
    return bool(
        Trial.objects.select_for_update(no_key=True).filter(pk__in=pairs.values("trial"), state=Trial.State.RUNNING)
    )
