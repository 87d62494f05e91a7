"""The messages that notify workers of queued matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from contests.models import Contest
from contests.selectors.contests import bot_limits
from jobs.celery_app import app
from jobs.files.storage import REPLAYS
from jobs.files.transfers import upload_url
from jobs.sending import jobs_send
from ladder.services.builds import seat_program
from matches.models import Match
from matches.selectors.statements import matches_queued_locked, programs_of
from wire.jobs import PLAY_TASK, BotLimits, PlayJob, SeatProgram


@transaction.atomic(savepoint=False)
def matches_notify(*, pks: Sequence[int]) -> None:
    """Send the messages of queued matches, in this order, when the transaction is committed (4 queries).

    May be called again for the same matches. When the broker cannot be reached that is logged, not raised: the sweeper
    sends the messages later.
    """
    queued = matches_queued_locked(pks=pks)
    if not queued:  # they have become void, or workers have begun them after all
        return
    Match.objects.filter(pk__in=queued).update(notified_at=timezone.now())
    programs: defaultdict[int, list[SeatProgram]] = defaultdict(list)
    for match, name, number, digest, language, entry in programs_of(matches=list(queued)):
        programs[match].append(
            seat_program(name=name, number=number, artifact_digest=digest, language=language, entry=entry)
        )
    contests = Contest.objects.in_bulk({match.contest_id for match in queued.values()})
    limits = {pk: bot_limits(contest=contest) for pk, contest in contests.items()}
    jobs = [_play_job(queued[pk], programs[pk], limits[queued[pk].contest_id]) for pk in pks if pk in queued]
    transaction.on_commit(lambda: jobs_send(app, PLAY_TASK, jobs), robust=True)


def _play_job(match: Match, programs: list[SeatProgram], limits: BotLimits) -> PlayJob:
    return PlayJob(
        match_id=match.pk,
        attempt=match.attempt,
        lease_token=match.lease_token,
        game=match.game,
        rules_version=match.rules_version,
        options=match.options,
        seed=match.seed,
        seats=programs,
        replay_url=upload_url(store=REPLAYS),
        limits=limits,
    )
