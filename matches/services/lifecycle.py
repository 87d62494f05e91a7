"""The life of a match: handed out, started, kept alive, ended exactly once.

A report of a worker counts if it has the match's current lease token. A report with an older token is late: it is kept
at its attempt, and answered as a success, so that the worker does not send it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta

import msgspec
import structlog
from django.db import transaction
from django.utils import timezone

from common.errors import IllegalTransition
from common.queries.sql import rows_update
from common.signals import results_void
from core.message import Message, stored
from games.registry import game_named, rules_versions
from jobs.leases import ATTEMPTS_MAX
from jobs.selectors.workers import language_elsewhere, worker_is_quarantined
from jobs.services.dispatching import queue_announce
from jobs.services.heartbeats import lease_end_announce
from ladder.services.rebuilds import versions_lost_rebuild
from matches.models import Attempt, Match, RemoteSeat, Result, Seat
from matches.selectors.statements import attempt_with_token, match_locked, seats_of
from matches.services.probation import probation_judge, probation_review
from matches.services.reports import report_problem
from matches.services.throttle import dispatch_check_due
from wire.jobs import AGAIN_MAX, MEMORY, RULES, Heartbeat, MatchReport

log = structlog.get_logger()

ATTEMPTS_LACKING_MAX = 1_000
"""How many attempts a match may have before a worker's "I lack its language (or rules)" counts as a platform fault.

The attack: a worker that says so falsely each time keeps the match from being played for ever."""
RULES_CHANGED = Message("match-rules-changed")
QUARANTINED = Message("worker-quarantined")

State = Match.State
Ending = Attempt.Ending
_NEXT: dict[str, set[str]] = {
    State.QUEUED: {State.QUEUED, State.RUNNING, State.FINISHED, State.VOID},
    State.RUNNING: {State.QUEUED, State.FINISHED, State.VOID},
    State.FINISHED: {State.VOID},
    State.VOID: set(),
}

_CHANGING = [
    "state",
    "attempt",
    "lease_token",
    "lease_ends_at",
    "notified_at",
    "held_until",
    "started_at",
    "finished_at",
    "void_reason",
]


def match_transition(
    *, match: Match, state: State, reason: Message | None = None, started_at: datetime | None = None, held: bool = False
) -> None:
    """Move a match to another state, with the lease and the times that belong to it, and save it.

    Args:
        match: locked by the caller's transaction (``select_for_update``).
        state: the new state. QUEUED begins a new attempt with a new lease token, RUNNING renews the lease, the others
            drop it.
        reason: for VOID, why; everybody may read it.
        started_at: when a worker began to play it, if that was not known.
        held: for QUEUED, whether it is handed out only after ``LAST_ATTEMPT_DELAY_SECONDS``.

    Raises:
        IllegalTransition: a match cannot go from its state to this one.
    """
    if state not in _NEXT[match.state]:
        raise IllegalTransition(f"{match} cannot go from {match.state} to {state}.")
    was_under_way, sent_token = match.state != State.FINISHED, match.lease_token if match.notified_at else ""
    match.state = state
    match.started_at = started_at or match.started_at
    if state == State.QUEUED:
        match.lease_begin(held=held)
    elif state == State.RUNNING:
        match.lease_renew()
    else:
        match.finished_at = match.finished_at or timezone.now()
        match.void_reason = stored(reason)
        match.lease_drop()
    rows_update([match], _CHANGING)
    if state in (State.QUEUED, State.VOID):
        lease_end_announce(lease_token=sent_token)
    # Not when a finished match becomes void (thousands may at once): that frees no worker.
    if was_under_way and (state in (State.QUEUED, State.VOID) or (state == State.FINISHED and dispatch_check_due())):
        queue_announce()


# --- Handing out ----------------------------------------------------------------------------------------------------


@transaction.atomic
def matches_create(*, tables: Sequence[tuple[Match, Iterable[int]]]) -> list[Match]:
    """Save new matches with first attempts and seats, put them into the queue, and return them (3 queries).

    Args:
        tables: each match, not saved yet, with the keys of the versions in the order of the seats.

    Raises:
        django.db.IntegrityError: a version has two seats, a re-run has no original or another kind has one, or a
            re-run of the same match is in flight.
    """
    matches = [match for match, _ in tables]
    for match in matches:  # not saved yet, so there is nothing to lock
        match.lease_begin()
    Match.objects.bulk_create(matches)
    Attempt.objects.bulk_create(_attempt_new(match) for match in matches)
    Seat.objects.bulk_create(
        Seat(match=match, index=index, version_id=pk) for match, versions in tables for index, pk in enumerate(versions)
    )
    queue_announce()
    return matches


@transaction.atomic
def exhibition_create(*, match: Match, bots: Mapping[int, int], remotes: Sequence[RemoteSeat]) -> Match:
    """Save a new exhibition with its first attempt and its seats; it waits for a place at a table (4 queries).

    Args:
        match: not saved yet, of the kind EXHIBITION.
        bots: the keys of the versions by seat.
        remotes: the remote seats, not saved yet.

    Raises:
        django.db.IntegrityError: two seats have one number, or a version has two seats.
    """
    match.lease_begin()
    match.save()
    _attempt_new(match).save()
    Seat.objects.bulk_create(Seat(match=match, index=index, version_id=pk) for index, pk in bots.items())
    for remote in remotes:
        remote.match = match
    RemoteSeat.objects.bulk_create(remotes)
    return match


def match_enqueue(*, match: Match, held: bool = False) -> None:
    """Put a match into the queue: a new attempt with a new token.

    Args:
        match: in the state QUEUED or RUNNING.
        held: whether it is handed out only after ``LAST_ATTEMPT_DELAY_SECONDS``.

    Raises:
        IllegalTransition: it has ended.
    """
    with transaction.atomic():
        locked = Match.objects.select_for_update(no_key=True).get(pk=match.pk)
        match_transition(match=locked, state=State.QUEUED, held=held)
        _attempt_new(locked).save()


def _attempt_new(match: Match) -> Attempt:
    return Attempt(match=match, number=match.attempt, lease_token=match.lease_token)


def match_requeue_by_new_rules(*, match_id: int) -> None:
    """Requeue a waiting match under the rules that its game has now; without effect if its rules are those already.

    A re-run keeps its rules as long as they are installed, and becomes void without them: under other rules it says
    nothing about its original. An exhibition becomes void, since it may go on from a match under the old rules.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
        rules_version = game_named(match.game).rules_version
        if match.state != State.QUEUED or match.rules_version == rules_version:
            return
        if match.kind == Match.Kind.RERUN:
            if match.rules_version in rules_versions(match.game):
                return
            matches_void(matches=[match], reason=RULES_CHANGED)
            return
        if match.kind == Match.Kind.EXHIBITION:
            matches_void(matches=[match], reason=RULES_CHANGED)
            return
        match.rules_version = rules_version
        rows_update([match], ["rules_version"])
        _attempt_requeue(match, worker="", reason=RULES_CHANGED)


# --- Heartbeats -----------------------------------------------------------------------------------------------------


@transaction.atomic
def match_heartbeat(*, report: Heartbeat) -> None:
    """Record that a worker plays a match, and renew its lease; without effect when the report's lease token is old.

    The match of a quarantined worker is requeued at once: such a worker may have restarted and not know yet that it is
    quarantined.
    """
    match = match_locked(pk=report.match_id)
    if match is None or not match.lease_holds(report.lease_token):
        attempt = Attempt.objects.filter(lease_token=report.lease_token).first()
        if attempt and attempt.ending == Ending.RESULT:  # its last one was read after the result, as often happens
            return
        log.info("match_report_late", match=report.match_id, attempt=attempt and attempt.number)
        lease_end_announce(lease_token=report.lease_token)
        return
    if worker_is_quarantined(name=report.worker):
        _attempt_requeue(match, report.worker)
    elif match.state == State.QUEUED:
        attempt = match.attempts.get(lease_token=report.lease_token)
        attempt.worker = report.worker
        attempt.started_at = _started_at(attempt, report.seconds)
        attempt.save(update_fields=["worker", "started_at"])
        match_transition(match=match, state=State.RUNNING, started_at=attempt.started_at)
    else:
        match.lease_renew()
        rows_update([match], ["lease_ends_at"])


def _started_at(attempt: Attempt, seconds: float) -> datetime:
    """Return when a worker took a match, by the site's clock; never before the attempt was queued.

    Args:
        attempt: the attempt that the worker plays.
        seconds: how long ago the worker says it took the match.
    """
    return max(timezone.now() - timedelta(seconds=seconds), attempt.queued_at)


# --- Endings --------------------------------------------------------------------------------------------------------


@transaction.atomic
def match_record_result(*, report: MatchReport) -> str:
    """Record how an attempt ended. A match gets one result, however many reports arrive.

    A result with the current lease token is committed. A late or repeated one is only noted at its attempt. The match
    is requeued, and no bot loses, when the report tells of a platform fault, cannot be true, or comes from a worker
    that is quarantined or lacks the rules, a language or memory.

    Returns:
        The key of the match's contest; empty if there is no such match.
    """
    match = match_locked(pk=report.match_id)
    attempt = attempt_with_token(token=report.lease_token)
    if match is None or attempt is None or attempt.match_id != match.pk:
        log.error("match_report_unknown", match=report.match_id, attempt=report.attempt)
        return match.contest_id if match else ""
    attempt.worker = report.worker
    if not match.lease_holds(report.lease_token):
        _attempt_late(attempt)
    elif worker_is_quarantined(name=report.worker):
        _attempt_requeue(match, report.worker)
    elif _another_worker_may(match, report):
        held = report.lacks in (RULES, MEMORY) and match.attempt >= ATTEMPTS_MAX
        _attempt_requeue(match, report.worker, report.platform_fault, held=held, is_begun=False)
    elif report.platform_fault and report.turns and match.attempt <= AGAIN_MAX:
        # Played to its end, but a bot waited for a core: the store has all bots, and the machine is well. Try it later.
        _attempt_requeue(match, report.worker, report.platform_fault, held=True)
    elif fault := report.platform_fault or report_problem(match=match, report=report):
        _attempt_end(attempt, Ending.PLATFORM_FAULT, fault)
        _match_requeue_or_void(match, fault)
        # A bot that is missing from the store is built again. After the commit, since the store may be slow.
        versions = list(match.seats.values_list("version", flat=True))
        transaction.on_commit(lambda: versions_lost_rebuild(pks=versions), robust=True)
    else:
        attempt.started_at = attempt.started_at or _started_at(attempt, report.seconds)
        _attempt_end(attempt, Ending.RESULT)
        _match_finish(match, attempt, report)
    return match.contest_id


def match_attempt_lost(*, match_id: int) -> None:
    """Requeue a match whose worker's lease has run out; without effect if a heartbeat has come meanwhile."""
    with transaction.atomic():
        match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
        if not match.lease_expired():
            return
        reason = Message("worker-silent")
        _attempt_end(match.attempts.get(lease_token=match.lease_token), Ending.LOST, reason)
        _match_requeue_or_void(match, reason)


@transaction.atomic
def match_requeue(*, match_id: int, worker: str) -> bool:
    """Requeue a match if ``worker``, which is not trusted any more, is playing it.

    Returns:
        Whether the match was requeued; False when another worker plays it by now, or it has ended.
    """
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if not match.attempts.filter(lease_token=match.lease_token, worker=worker).exists():
        return False
    _attempt_requeue(match, worker)
    return True


def _another_worker_may(match: Match, report: MatchReport) -> bool:
    """Tell whether another worker may have what this one lacks, and fewer than ``ATTEMPTS_LACKING_MAX`` have tried.

    Rules always qualify, as does memory: during an upgrade some worker gets them within minutes, or other matches end.
    """
    if not report.lacks or match.attempt >= ATTEMPTS_LACKING_MAX:
        return False
    return report.lacks in (RULES, MEMORY) or language_elsewhere(name=report.lacks, worker=report.worker)


def _attempt_requeue(
    match: Match, worker: str, reason: Message | None = QUARANTINED, *, held: bool = False, is_begun: bool = True
) -> None:
    """End the current attempt as WITHDRAWN and requeue the match; ``ATTEMPTS_MAX`` does not count such attempts.

    An exhibition that has begun becomes void instead.
    """
    attempt = match.attempts.get(lease_token=match.lease_token)
    attempt.worker = worker
    log.warning("match_attempt_requeued", match=match.pk, attempt=attempt.number, worker=worker)
    _attempt_end(attempt, Ending.WITHDRAWN, reason)
    if match.kind == Match.Kind.EXHIBITION and is_begun:
        _table_lost(match, reason)
        return
    match_enqueue(match=match, held=held)


def match_void(*, match: Match, reason: Message) -> None:
    """Make a match void for good: it leaves the ratings, and stays visible with the reason.

    Raises:
        IllegalTransition: it is void already.
    """
    with transaction.atomic():
        matches_void(matches=[Match.objects.select_for_update(no_key=True).get(pk=match.pk)], reason=reason)


def matches_void(*, matches: Sequence[Match], reason: Message) -> None:
    """Make matches void for good, and end their running attempts. Probations are reviewed once, after the last match.

    Args:
        matches: locked by the caller's transaction.
        reason: why; everybody may read it.

    Raises:
        IllegalTransition: one is void already.
    """
    ended = [match.pk for match in matches if match.state == State.FINISHED]
    rated = [match.pk for match in matches if match.state == State.FINISHED and match.kind == Match.Kind.LADDER]
    for match in matches:
        if match.lease_token:
            _attempt_end(match.attempts.get(lease_token=match.lease_token), Ending.WITHDRAWN)
        match_transition(match=match, state=State.VOID, reason=reason)
    if rated:
        probation_review(seats=list(Seat.objects.filter(match__in=rated).exclude(verdict="")))
    if ended:
        results_void.send(sender=None, matches=ended)


def _match_requeue_or_void(match: Match, fault: Message) -> None:
    """Requeue a match after a platform fault or a lost worker, or make it void after ``ATTEMPTS_MAX`` of these."""
    log.warning("match_attempt_failed", match=match.pk, attempt=match.attempt, reason=str(fault))
    if match.kind == Match.Kind.EXHIBITION:
        _table_lost(match, fault)
        return
    failures = match.attempts.exclude(ending=Ending.WITHDRAWN).count()
    if failures < ATTEMPTS_MAX:
        match_enqueue(match=match, held=failures == ATTEMPTS_MAX - 1)
    else:
        reason = Message("match-platform-failed", {"times": ATTEMPTS_MAX, "why": stored(fault)})
        match_transition(match=match, state=State.VOID, reason=reason)


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


def _attempt_end(attempt: Attempt, ending: Ending, reason: Message | None = None) -> None:
    attempt.ending = ending
    attempt.reason = stored(reason)
    attempt.ended_at = timezone.now()
    rows_update([attempt], ["worker", "started_at", "ended_at", "ending", "reason"])


def _attempt_late(attempt: Attempt) -> None:
    """Mark an attempt as LATE; without effect if it has ended otherwise already, as after a repeated report."""
    lease_end_announce(lease_token=attempt.lease_token)
    log.info("match_report_late", match=attempt.match_id, attempt=attempt.number)
    if attempt.ending in ("", Ending.LOST):
        _attempt_end(attempt, Ending.LATE, Message("report-late"))
