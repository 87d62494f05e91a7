"""Hands out exhibitions to the workers of tables, those that have waited longest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec
from django.db import transaction

from contests.selectors.contests import bot_limits
from exhibitions.selectors.queue import OPEN, WAITING
from jobs.files.storage import REPLAYS
from jobs.files.transfers import upload_url
from jobs.locks import lock_register
from jobs.selectors.workers import tables_count
from jobs.services.life import JobLife
from ladder.services.builds import version_program
from matches.models import Match, RemoteSeat, Seat
from matches.services.match_jobs import MatchJobs
from wire.jobs import TABLE_TASK, RealTime, RemoteProgram, SeatProgram, TableJob, WireMessage
from wire.tables import TABLE_SECONDS_MAX

_tables_lock = lock_register(3, "handing out tables")


class _Tables(MatchJobs):
    """The exhibitions, which a worker of tables plays."""

    task = TABLE_TASK
    rows, related = OPEN, ("contest", "exhibition")
    queued = OPEN.filter(state=Match.State.QUEUED)
    running = OPEN.filter(state=Match.State.RUNNING)

    def messages(self, rows: Sequence[Match]) -> dict[int, WireMessage]:
        """Return the messages of queued exhibitions to a worker, by primary key of the match."""
        bots: defaultdict[int, dict[int, SeatProgram]] = defaultdict(dict)
        for seat in Seat.objects.filter(match__in=rows).select_related("version__bot"):
            bots[seat.match_id][seat.index] = version_program(version=seat.version)
        remotes: defaultdict[int, dict[int, RemoteProgram]] = defaultdict(dict)
        for remote in RemoteSeat.objects.filter(match__in=rows):
            remotes[remote.match_id][remote.index] = RemoteProgram(remote.name, remote.clock_seconds, remote.tries)
        return {
            match.pk: TableJob(
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
                limits=bot_limits(contest=match.contest),
                real_time=msgspec.convert(match.exhibition.real_time, RealTime | None),
                # JSON knows no whole numbers as keys.
                played=msgspec.convert(match.exhibition.played, list[dict[int, list[str]]], strict=False),
            )
            for match in rows
        }

    sweep = JobLife.sweep  # that of matches looks for older rules, those of exhibitions included


TABLES = _Tables()


def tables_announce() -> None:
    """Have ``tables_dispatch`` called when the transaction is committed, since an exhibition waits now.

    An error is logged and not raised: the timetable calls ``tables_dispatch`` within seconds, also for the tables that
    endings and workers have made free.
    """
    transaction.on_commit(tables_dispatch, robust=True)


@transaction.atomic
def tables_dispatch() -> int:
    """Hand out waiting exhibitions as long as workers have free tables; return how many were handed out."""
    if not WAITING.exists():
        return 0
    # Two processes at once would both see the same free tables.
    _tables_lock()
    taken = OPEN.filter(notified_at__isnull=False)
    waiting = WAITING.order_by("pk")
    own_free = tables_count(own=True) - taken.filter(TABLES.own).count()
    # Tables of private contests that only a host of others could hold leave their places to those behind them, and
    # those whose hosts are gone take no place of the hosts that play.
    kept = list(waiting.filter(TABLES.own).values_list("pk", flat=True))
    free = max(tables_count() - taken.count() - min(own_free, 0), 0)
    pks = list(waiting.exclude(pk__in=kept[max(own_free, 0) :]).values_list("pk", flat=True)[:free])
    TABLES.notify(pks)
    return len(pks)
