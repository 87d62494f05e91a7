"""Deletes exhibitions after a month."""

from __future__ import annotations

from datetime import timedelta

import structlog
from django.db import transaction
from django.utils import timezone

from matches.models import Attempt, Match, Result
from matches.selectors.replays_kept import digests_of
from matches.services.replays import replays_delete

KEPT_DAYS = 30
_BATCH = 200

log = structlog.get_logger(__name__)


def exhibitions_forget() -> int:
    """Delete exhibitions that ended more than ``KEPT_DAYS`` ago, with their replays; return how many.

    One call deletes at most ``_BATCH``, the oldest first.
    """
    old = timezone.now() - timedelta(days=KEPT_DAYS)
    ended = Match.objects.filter(kind=Match.Kind.EXHIBITION, finished_at__lt=old)
    with transaction.atomic():
        pks = list(ended.order_by("pk").values_list("pk", flat=True)[:_BATCH])
        results = Result.objects.filter(match__in=pks)
        digests = digests_of(results=results)
        results.delete()
        Attempt.objects.filter(match__in=pks).delete()
        Match.objects.filter(pk__in=pks).delete()
    # After the commit: a replay without a row is useless, a row without a replay is an error.
    replays_delete(digests=digests)
    if pks:
        log.info("exhibitions_forgotten", matches=len(pks))
    return len(pks)
