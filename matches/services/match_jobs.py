"""The life of a match as a leased job: handed out, started, kept alive, ended exactly once.

A report of a worker counts if it has the match's current lease token. A report with an older token is late: it is kept
at its attempt, and answered as a success, so that the worker does not send it again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

import msgspec
import structlog
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from common.queries.sql import rows_update
from contests.selectors.contests import bot_limits, contests_on_own_hosts, own_hosts_only
from core.message import Message, stored
from games.registry import game_named, rules_versions
from jobs.fairness import BUILD, HOUSE_BUILD, IN_FLIGHT_PER_PROCESS, SHARES, TRY, Job
from jobs.files.storage import REPLAYS
from jobs.files.transfers import upload_url
from jobs.leases import ATTEMPTS_MAX, held_times
from jobs.selectors.workers import language_elsewhere
from jobs.services.life import JobLife
from ladder.services.builds import seat_program
from ladder.services.rebuilds import versions_lost_rebuild
from matches.models import Attempt, Match, RemoteSeat, Result, Seat
from matches.selectors.matches import matches_of_older_rules
from matches.selectors.statements import (
    attempt_with_token,
    in_flight_bots,
    in_flight_count,
    match_locked,
    programs_of,
    seats_of,
)
from matches.services.lifecycle import attempt_end, attempt_new, match_transition, matches_void
from matches.services.probation import probation_judge
from matches.services.reports import report_problem
from wire.jobs import (
    AGAIN_MAX,
    MEMORY,
    PLAY_TASK,
    RULES,
    Heartbeat,
    MatchReport,
    PlayJob,
    SeatProgram,
    WireMessage,
)

log = structlog.get_logger()

ATTEMPTS_LACKING_MAX = 1_000
"""How many attempts a match may have before a worker's "I lack its language (or rules)" counts as a platform fault.

The attack: a worker that says so falsely each time keeps the match from being played for ever."""
RULES_CHANGED = Message("match-rules-changed")
QUARANTINED = Message("worker-quarantined")

State = Match.State
Ending = Attempt.Ending


class MatchJobs(JobLife[Match, Heartbeat, MatchReport]):
    """The matches that workers play."""

    name, row, task, given_up = "match", "match", PLAY_TASK, "match-platform-failed"
    classes = frozenset(SHARES) - {BUILD, HOUSE_BUILD, TRY}
    rows = Match.objects.exclude(queue_class=Match.QueueClass.TABLE)  # the app of exhibitions hands those out
    queued = rows.filter(state=State.QUEUED)
    running = rows.filter(state=State.RUNNING)
    related: tuple[str, ...] = ("contest",)
    own = own_hosts_only(at="contest")

    def is_due(self, processes_count: Callable[[], int]) -> bool:
        """Tell whether matches wait to be handed out and enough processes are free for a batch of them (2 queries)."""
        matches, out = in_flight_count()
        if matches == out:
            return False
        processes = processes_count()
        return IN_FLIGHT_PER_PROCESS * processes - out >= max(processes // 2, 1)

    def in_flight(self) -> Iterable[tuple[Job, bool]]:
        """Return the matches in flight that are not held, each with whether its message has been sent (1 query)."""
        held_by: defaultdict[tuple[int, str, str, bool], set[str]] = defaultdict(set)
        for pk, contest, queue_class, out, bot, owner, is_house in in_flight_bots(held=held_times()):
            # The attack: six bots of one owner sleep to their wall time limit, each in half of the processes.
            held_by[pk, contest, queue_class, out].add(f"bot {bot}" if is_house else f"owner {owner}")
        kept = contests_on_own_hosts()
        return [
            (Job(queue_class, pk, frozenset(holders), contest=contest, is_own=contest in kept), out)
            for (pk, contest, queue_class, out), holders in held_by.items()
        ]

    def locked(self, pk: int) -> Match | None:
        """Lock and return a match; None if there is none."""
        return match_locked(pk=pk)

    def messages(self, rows: Sequence[Match]) -> dict[int, WireMessage]:
        """Return the messages of queued matches, by key (1 query)."""
        programs: defaultdict[int, list[SeatProgram]] = defaultdict(list)
        for pk, name, number, digest, language, entry in programs_of(matches=[match.pk for match in rows]):
            programs[pk].append(
                seat_program(name=name, number=number, artifact_digest=digest, language=language, entry=entry)
            )
        return {
            match.pk: PlayJob(
                match_id=match.pk,
                attempt=match.attempt,
                lease_token=match.lease_token,
                game=match.game,
                rules_version=match.rules_version,
                options=match.options,
                seed=match.seed,
                seats=programs[match.pk],
                replay_url=upload_url(store=REPLAYS),
                limits=bot_limits(contest=match.contest),
            )
            for match in rows
        }

    def held_by(self, worker: str) -> QuerySet[Match]:
        """Return the matches that a worker plays now, exhibitions included."""
        playing = Match.objects.filter(state=State.RUNNING, attempts__worker=worker, attempts__ending="")
        return playing.distinct()

    def progressed(self, match: Match, report: Heartbeat) -> None:
        """Record that a worker plays a match, and renew its lease; a QUEUED match becomes RUNNING."""
        if match.state == State.QUEUED:
            attempt = _attempt_of(match, report.worker)
            attempt.started_at = _started_at(attempt, report.seconds)
            attempt.save(update_fields=["worker", "started_at"])
            match_transition(match=match, state=State.RUNNING, started_at=attempt.started_at)
        else:
            match.lease_renew()
            rows_update([match], ["lease_ends_at"])

    def late(self, report: Heartbeat | MatchReport) -> None:
        """Note a late result at its attempt, and tell the worker that its lease has ended.

        A heartbeat that was read after the result of its attempt has no effect.
        """
        attempt = attempt_with_token(token=report.lease_token)
        if isinstance(report, Heartbeat):
            if attempt and attempt.ending == Ending.RESULT:  # its last one was read after the result, as often happens
                return
        elif attempt and attempt.match_id == report.match_id and attempt.ending in ("", Ending.LOST):
            attempt.worker = report.worker
            attempt_end(attempt, Ending.LATE, Message("report-late"))
        super().late(report)

    def problem(self, match: Match, report: MatchReport) -> Message | None:
        """Return why a report cannot be the result of a match; None if it can."""
        return report_problem(match=match, report=report)

    def end(self, match: Match, report: MatchReport) -> None:
        """Commit the result of a match."""
        attempt = _attempt_of(match, report.worker)
        attempt.started_at = attempt.started_at or _started_at(attempt, report.seconds)
        attempt_end(attempt, Ending.RESULT)
        _match_finish(match, attempt, report)

    def hand_on(self, match: Match, report: MatchReport) -> bool:
        """Queue a match again that this worker could not play as it should be; return False if there is no such reason.

        One reason is that the worker lacks what another has, in fewer than ``ATTEMPTS_LACKING_MAX`` attempts. Rules and
        memory count as that: during an upgrade some worker gets the rules soon, and other matches end. The other is
        that the worker played turns and reports a platform fault (a bot waited for a core), in at most ``AGAIN_MAX``
        attempts.
        """
        if report.lacks:
            is_passing = report.lacks in (RULES, MEMORY)
            if match.attempt >= ATTEMPTS_LACKING_MAX or not (
                is_passing or language_elsewhere(name=report.lacks, worker=report.worker)
            ):
                return False
            held = is_passing and match.attempt >= ATTEMPTS_MAX
        elif report.platform_fault and report.turns and match.attempt <= AGAIN_MAX:
            held = True
        else:
            return False
        self.take_back(match, report.worker, report.platform_fault, held=held, is_begun=not report.lacks)
        return True

    def take_back(
        self,
        match: Match,
        worker: str,
        reason: Message | None = QUARANTINED,
        *,
        held: bool = False,
        is_begun: bool = True,
    ) -> None:
        """End the current attempt as WITHDRAWN, so that ``ATTEMPTS_MAX`` does not count it, and queue the match again.

        An exhibition that has begun (``is_begun``) becomes void instead. ``held``: workers get the match only after a
        pause.
        """
        attempt = _attempt_of(match, worker)
        log.warning("match_attempt_requeued", match=match.pk, attempt=attempt.number, worker=worker)
        attempt_end(attempt, Ending.WITHDRAWN, reason)
        if match.kind == Match.Kind.EXHIBITION and is_begun:
            _table_lost(match, reason)
        else:
            self.requeue(match, held=held)

    def attempt_failed(self, match: Match, fault: Message, report: MatchReport | None = None) -> None:
        """Queue a match again after a platform fault or a lost worker, or make it void after ``ATTEMPTS_MAX`` of these.

        An exhibition becomes void at once. ``report`` is None if the worker was lost; with a report, bots of the match
        that are missing from the store are built again.
        """
        ending = Ending.LOST if report is None else Ending.PLATFORM_FAULT
        attempt_end(_attempt_of(match, report.worker if report else ""), ending, fault)
        if match.kind == Match.Kind.EXHIBITION:
            log.warning("match_attempt_failed", match=match.pk, attempt=match.attempt, reason=str(fault))
            _table_lost(match, fault)
        else:
            super().attempt_failed(match, fault, report)
        if report is not None:
            # A bot that is missing from the store is built again. After the commit, since the store may be slow.
            versions = list(match.seats.values_list("version", flat=True))
            transaction.on_commit(lambda: versions_lost_rebuild(pks=versions), robust=True)

    def failures(self, match: Match) -> int:
        """Return how many attempts of a match have failed; those that were withdrawn do not count."""
        return match.attempts.exclude(ending=Ending.WITHDRAWN).count()

    def requeue(self, match: Match, *, held: bool = False) -> None:
        """Begin a new attempt of a match; raise IllegalTransition if it has ended."""
        match_transition(match=match, state=State.QUEUED, held=held)
        attempt_new(match).save()

    def give_up(self, match: Match, reason: Message) -> None:
        """Make a match void that the platform could not play."""
        match_transition(match=match, state=State.VOID, reason=reason)

    def sweep(self) -> None:
        """Requeue waiting matches of older rules under today's, since workers refuse rules that they do not have.

        Then sweep as for every kind of job.
        """
        for pk in matches_of_older_rules():
            self.requeue_by_new_rules(pk)
        super().sweep()

    @transaction.atomic
    def requeue_by_new_rules(self, pk: int) -> None:
        """Requeue a waiting match under the rules that its game has now; without effect if its rules are those already.

        A re-run keeps its rules as long as they are installed, and becomes void without them: under other rules it says
        nothing about its original. An exhibition becomes void, since it may go on from a match under the old rules.
        """
        match = self.locked(pk)
        if match is None or match.state != State.QUEUED:
            return
        rules_version, installed = game_named(match.game).rules_version, rules_versions(match.game)
        if match.rules_version == rules_version or (
            match.kind == Match.Kind.RERUN and match.rules_version in installed
        ):
            return
        if match.kind in (Match.Kind.RERUN, Match.Kind.EXHIBITION):
            matches_void(matches=[match], reason=RULES_CHANGED)
            return
        match.rules_version = rules_version
        rows_update([match], ["rules_version"])
        self.take_back(match, "", RULES_CHANGED)


MATCHES = MatchJobs()


def _attempt_of(match: Match, worker: str) -> Attempt:
    """Return the attempt of a match's current lease, with the worker that has it; an empty name changes nothing."""
    attempt = attempt_with_token(token=match.lease_token)
    assert attempt is not None  # noqa: S101 - it was saved with the lease
    attempt.worker = worker or attempt.worker
    return attempt


def _started_at(attempt: Attempt, seconds: float) -> datetime:
    """Return when a worker took a match, ``seconds`` ago, by the site's clock; never before the attempt was queued."""
    return max(timezone.now() - timedelta(seconds=seconds), attempt.queued_at)


def _table_lost(match: Match, why: Message | None) -> None:
    """Make an exhibition void: its players' answers are nowhere but in the worker that has ended or is not trusted."""
    match_transition(match=match, state=State.VOID, reason=Message("table-lost", {"why": stored(why)}))


def _match_finish(match: Match, attempt: Attempt, report: MatchReport) -> None:
    bots = seats_of(match=match.pk)
    remotes = list(match.remote_seats.order_by("index")) if match.kind == Match.Kind.EXHIBITION else []
    seats: list[Seat | RemoteSeat] = [*bots, *remotes]
    seats.sort(key=lambda seat: seat.index)
    digest = report.replay_digest or ""  # never empty, see report_problem
    log_digest = report.log_digest or ""
    Result.objects.create(match=match, attempt=attempt, turns=report.turns, replay_digest=digest, log_digest=log_digest)
    for seat, seat_report in zip(seats, report.seats, strict=True):
        seat.rank = seat_report.rank
        seat.score = seat_report.score
        if isinstance(seat, Seat):
            seat.cpu_ms_total = seat_report.cpu_ms_total
            seat.cpu_ms_worst = seat_report.cpu_ms_worst
        if seat_report.fault is not None:
            seat.verdict = seat_report.fault.verdict
            seat.evidence = msgspec.to_builtins(seat_report.fault)
    rows_update(bots, ["rank", "score", "cpu_ms_total", "cpu_ms_worst", "verdict", "evidence"])
    rows_update(remotes, ["rank", "score", "verdict", "evidence"])
    match_transition(match=match, state=State.FINISHED, started_at=attempt.started_at)
    if match.kind == Match.Kind.LADDER:
        probation_judge(seats=bots)
    ranks = [seat.rank for seat in seats]
    log.info("match_finished", match=match.pk, attempt=attempt.number, game=match.game, turns=report.turns, ranks=ranks)
