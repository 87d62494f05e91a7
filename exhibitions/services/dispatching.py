"""Hands out exhibitions to the workers of tables, those that have waited longest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from django.db import transaction
from django.utils import timezone

from contests.models import Contest
from contests.selectors.contests import bot_limits
from exhibitions.models import Exhibition
from exhibitions.selectors.played import answers_before
from exhibitions.selectors.queue import OPEN
from jobs.celery_app import app
from jobs.files.storage import REPLAYS
from jobs.files.transfers import upload_url
from jobs.models import QueueLock
from jobs.selectors.workers import tables_count
from jobs.sending import jobs_send
from ladder.services.builds import seat_program
from matches.models import Match, RemoteSeat, Seat
from matches.selectors.statements import matches_queued_locked
from wire.jobs import TABLE_TASK, RealTime, RemoteProgram, SeatProgram, TableJob
from wire.tables import TABLE_SECONDS_MAX

_LOCK = 3


def tables_announce() -> None:
    """Call ``tables_dispatch`` when the transaction is committed: an exhibition waits now.

    An error is logged and not raised: the timetable calls ``tables_dispatch`` within seconds, also for the tables that
    endings and workers have made free.
    """
    transaction.on_commit(tables_dispatch, robust=True)


@transaction.atomic
def tables_dispatch() -> int:
    """Hand out waiting exhibitions as long as there are free tables; return how many."""
    waiting = OPEN.filter(state=Match.State.QUEUED, notified_at__isnull=True)
    if not waiting.exists():
        return 0
    # Two processes at once would both see the same free tables.
    QueueLock.objects.select_for_update().get_or_create(pk=_LOCK)
    free = tables_count() - OPEN.filter(notified_at__isnull=False).count()
    pks = list(waiting.order_by("pk").values_list("pk", flat=True)[: max(free, 0)])
    tables_notify(pks=pks)
    return len(pks)


@transaction.atomic(savepoint=False)
def tables_notify(*, pks: Sequence[int]) -> None:
    """Send the messages of queued exhibitions, in this order, when the transaction is committed.

    May be called again for the same ones. When the broker cannot be reached that is logged, not raised: the sweeper
    sends the messages later.
    """
    queued = matches_queued_locked(pks=pks)
    if not queued:  # they have become void, or workers have begun them after all
        return
    Match.objects.filter(pk__in=queued).update(notified_at=timezone.now())
    bots: defaultdict[int, dict[int, SeatProgram]] = defaultdict(dict)
    for seat in Seat.objects.filter(match__in=queued).select_related("version__bot"):
        version = seat.version
        bots[seat.match_id][seat.index] = seat_program(
            name=version.bot.name,
            number=version.number,
            artifact_digest=version.artifact_digest,
            language=version.language,
            entry=version.entry,
        )
    remotes: defaultdict[int, dict[int, RemoteProgram]] = defaultdict(dict)
    for remote in RemoteSeat.objects.filter(match__in=queued):
        remotes[remote.match_id][remote.index] = RemoteProgram(remote.name, remote.clock_seconds, remote.tries)
    exhibitions = Exhibition.objects.select_related("original__result").in_bulk(list(queued), field_name="match_id")
    contests = Contest.objects.in_bulk({match.contest_id for match in queued.values()})
    jobs = []
    for match in (queued[pk] for pk in pks if pk in queued):
        exhibition = exhibitions[match.pk]
        job = TableJob(
            match_id=match.pk,
            attempt=match.attempt,
            lease_token=match.lease_token,
            game=match.game,
            rules_version=match.rules_version,
            options=match.options,
            seed=match.seed,
            bots=bots[match.pk],
            remotes=remotes[match.pk],
            replay_url=upload_url(store=REPLAYS, more_seconds=TABLE_SECONDS_MAX),
            limits=bot_limits(contest=contests[match.contest_id]),
            real_time=msgspec.convert(exhibition.real_time, RealTime | None),
            played=answers_before(exhibition=exhibition),
        )
        jobs.append(job)
    transaction.on_commit(lambda: jobs_send(app, TABLE_TASK, jobs), robust=True)
