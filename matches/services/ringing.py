"""The doorbell: the messages that tell workers of queued matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from ladder.celery import app
from ladder.selectors.games import bot_limits
from ladder.services.builds import seat_program
from ladder.storage import REPLAYS
from ladder.transfers import upload_url
from matches.models import Match, Seat
from workers.jobs import PLAY_TASK, PlayJob
from workers.transport import send

_PROGRAM = [
    "match",
    "index",
    *(f"version__{name}" for name in ("number", "artifact_digest", "language", "entry")),
    "version__bot__name",
]
"""Of seats, what a job tells: to make rows of all columns takes longer than to ask for them."""


@transaction.atomic(savepoint=False)
def matches_ring(*, pks: Sequence[int]) -> None:
    """Send the messages of queued matches (again) in this order when the transaction is committed (3 queries).

    A broker that cannot be reached is logged, not raised: the sweeper rings again.
    """
    queued = Match.objects.select_for_update().filter(pk__in=pks, state=Match.State.QUEUED).order_by("pk").in_bulk()
    if not queued:  # they have been taken out, or workers have them after all
        return
    Match.objects.filter(pk__in=queued).update(rung_at=timezone.now())
    seats: defaultdict[int, list[Seat]] = defaultdict(list)
    rows = Seat.objects.filter(match__in=queued).select_related("version__bot").only(*_PROGRAM)
    for seat in rows.order_by("index"):
        seats[seat.match_id].append(seat)
    for pk in pks:
        if pk in queued:
            _ring_on_commit(_play_job(queued[pk], seats[pk]))


def _ring_on_commit(job: PlayJob) -> None:
    transaction.on_commit(lambda: send(app, PLAY_TASK, job), robust=True)


def _play_job(match: Match, seats: Sequence[Seat]) -> PlayJob:
    return PlayJob(
        match_id=match.pk,
        attempt=match.attempt,
        lease_token=match.lease_token,
        game=match.game,
        rules_version=match.rules_version,
        options=match.options,
        seed=match.seed,
        seats=[seat_program(version=seat.version) for seat in seats],
        replay_url=upload_url(store=REPLAYS),
        limits=bot_limits(game=match.game),
    )
