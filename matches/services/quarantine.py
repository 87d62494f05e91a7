"""What a worker that is not trusted any more has played, and plays: taken back, or taken out and played again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

import core
from matches.models import Match
from matches.services.lifecycle import match_create, match_void, match_withdraw


def matches_withdraw(*, worker: str) -> int:
    """Give everything that a worker plays now to others; return how many matches."""
    playing = Match.objects.filter(state=Match.State.RUNNING, attempts__worker=worker, attempts__ending="")
    return sum(match_withdraw(match_id=pk, worker=worker) for pk in playing.distinct().values_list("pk", flat=True))


def matches_replace(*, worker: str, since: datetime, reason: str) -> list[Match]:
    """Take out the results that a worker has reported, and have the same matches played again by others.

    Each in a transaction of its own: after a crash in the middle the same call does the rest.

    Args:
        worker: its name in its reports.
        since: results recorded before are believed.
        reason: a sentence that everybody may read.

    Returns:
        The new matches, each with a link to the one it replaces.
    """
    results = Match.objects.filter(
        state=Match.State.FINISHED, result__attempt__worker=worker, result__recorded_at__gte=since
    )
    return [match_replace(pk=pk, reason=reason) for pk in results.order_by("pk").values_list("pk", flat=True)]


@transaction.atomic
def match_replace(*, pk: int, reason: str) -> Match:
    """Take a match out and have the same pairing played again: same seats, seed and options, by the rules of now.

    Args:
        pk: of the match.
        reason: a sentence that everybody may read.

    Returns:
        The new match, of the same kind.

    Raises:
        IllegalTransition: it is void already.
    """
    match = Match.objects.get(pk=pk)
    match_void(match=match, reason=reason)
    return match_create(
        game=match.game,
        rules_version=core.game(match.game).rules_version,
        options=match.options,
        seed=match.seed,
        versions=list(match.seats.order_by("index").values_list("version", flat=True)),
        encounter=match.encounter,
        kind=Match.Kind(match.kind),
        queue_class=Match.QueueClass(match.queue_class),
        original=match.original,
        replaces=match,
    )
