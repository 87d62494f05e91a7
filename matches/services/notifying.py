"""The messages that notify workers of queued matches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

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
from wire.jobs import PLAY_TASK, BotLimits, PlayJob, SeatProgram, WireMessage


def matches_notify(*, pks: Sequence[int]) -> None:
    """Send the messages of queued matches to the playing workers; see ``queued_notify`` (4 queries)."""
    queued_notify(pks=pks, task=PLAY_TASK, jobs_of=_play_jobs)


@transaction.atomic(savepoint=False)
def queued_notify(
    *,
    pks: Sequence[int],
    task: str,
    jobs_of: Callable[[Mapping[int, Match], Mapping[str, BotLimits]], Mapping[int, WireMessage]],
) -> None:
    """Send the messages of queued matches, in this order, when the transaction is committed.

    May be called again for the same matches. When the broker cannot be reached that is logged, not raised: the sweeper
    sends the messages later.

    Args:
        pks: keys of the matches; those that do not wait for a worker any more are left out.
        task: the task of the messages.
        jobs_of: makes the messages by key of the match, given the matches by key and the limits of bots by contest.
    """
    queued = matches_queued_locked(pks=pks)
    if not queued:  # they have become void, or workers have begun them after all
        return
    Match.objects.filter(pk__in=queued).update(notified_at=timezone.now())
    contests = Contest.objects.in_bulk({match.contest_id for match in queued.values()})
    jobs = jobs_of(queued, {pk: bot_limits(contest=contest) for pk, contest in contests.items()})
    in_order = [pk for pk in pks if pk in queued]
    own = [jobs[pk] for pk in in_order if contests[queued[pk].contest_id].keeps_to_own_hosts]
    others = [jobs[pk] for pk in in_order if not contests[queued[pk].contest_id].keeps_to_own_hosts]

    def send() -> None:
        for some, is_own in ((others, False), (own, True)):
            if some:
                jobs_send(app, task, some, own=is_own)

    transaction.on_commit(send, robust=True)


def _play_jobs(queued: Mapping[int, Match], limits: Mapping[str, BotLimits]) -> dict[int, PlayJob]:
    programs: defaultdict[int, list[SeatProgram]] = defaultdict(list)
    for match, name, number, digest, language, entry in programs_of(matches=list(queued)):
        programs[match].append(
            seat_program(name=name, number=number, artifact_digest=digest, language=language, entry=entry)
        )
    return {pk: _play_job(match, programs[pk], limits[match.contest_id]) for pk, match in queued.items()}


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
