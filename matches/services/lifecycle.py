"""The life of a match: handed out, started, kept alive, ended exactly once.

Workers are believed only as far as their lease token goes. A report with the current token counts; one with an older
token is late, kept at its attempt, and answered as a success, so that nobody sends it for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

import msgspec
import structlog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from common.errors import IllegalTransition
from common.queries.sql import rows_update
from games.registry import game_named
from jobs.leases import ATTEMPTS_MAX
from jobs.selectors.workers import language_elsewhere, worker_is_quarantined
from jobs.services.dispatching import queue_announce
from ladder.services.rebuilds import versions_lost_rebuild
from matches.models import Attempt, Match, Result, Seat
from matches.selectors.statements import attempt_with_token, match_locked, seats_of
from matches.services.probation import probation_judge, probation_review
from matches.services.reports import report_problem
from matches.services.throttle import looks_to_hand_out
from wire.jobs import AGAIN_MAX, RULES, Heartbeat, MatchReport, SeatReport

log = structlog.get_logger()

ATTEMPTS_LACKING_MAX = 1_000
"""How often a match may be passed on because a worker lacks a language or its rules, before that counts as a failure of
ours: a worker that says so falsely each time must not keep it for ever."""
RULES_CHANGED = gettext_noop("The rules of its game have changed.")

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
    "rung_at",
    "held_until",
    "started_at",
    "finished_at",
    "void_reason",
]


def match_transition(
    *, match: Match, state: State, reason: str = "", started_at: datetime | None = None, held: bool = False
) -> None:
    """Move a match to another state, with the lease and the times that belong to it, and save it.

    Args:
        match: locked by the caller's transaction (``select_for_update``).
        state: where to. QUEUED begins a new attempt with a new lease token, RUNNING renews the lease, the others
            drop it.
        reason: of VOID, a sentence that everybody may read.
        started_at: when a worker began to play it, if that was not known.
        held: of QUEUED, whether it is handed out only after ``LAST_ATTEMPT_DELAY_SECONDS``.

    Raises:
        IllegalTransition: there is no such way.
    """
    if state not in _NEXT[match.state]:
        raise IllegalTransition(f"{match} cannot go from {match.state} to {state}.")
    was_under_way = match.state != State.FINISHED
    match.state = state
    match.started_at = started_at or match.started_at
    if state == State.QUEUED:
        match.lease_begin(held=held)
    elif state == State.RUNNING:
        match.lease_renew()
    else:
        match.finished_at = match.finished_at or timezone.now()
        match.void_reason = reason
        match.lease_drop()
    rows_update([match], _CHANGING)
    # Not where results are taken out, which may be thousands at once: that frees no worker.
    if was_under_way and (state in (State.QUEUED, State.VOID) or (state == State.FINISHED and looks_to_hand_out())):
        queue_announce()


# --- Handing out ----------------------------------------------------------------------------------------------------


@transaction.atomic
def matches_create(*, tables: Sequence[tuple[Match, Iterable[int]]]) -> list[Match]:
    """Save new matches, put them into the queue, and look once who can play them (3 queries).

    Args:
        tables: each match, not saved yet, with the keys of the versions in the order of the seats.

    Returns:
        The matches.

    Raises:
        django.db.IntegrityError: a version has two seats, a re-run has no original or another kind has one, or a
            re-run of the same match is in flight.
    """
    matches = [match for match, _ in tables]
    for match in matches:  # nobody else can know of it yet, so there is nothing to lock
        match.lease_begin()
    Match.objects.bulk_create(matches)
    Attempt.objects.bulk_create(_attempt_new(match) for match in matches)
    Seat.objects.bulk_create(
        Seat(match=match, index=index, version_id=pk) for match, versions in tables for index, pk in enumerate(versions)
    )
    queue_announce()
    return matches


def match_enqueue(*, match: Match, held: bool = False) -> None:
    """Put a match into the queue: a new attempt with a new token.

    Args:
        match: waits, or is being played.
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


def match_rules_renew(*, match_id: int) -> None:
    """Hand a match that waits out anew, by the rules that its game has now; without effect if it is not by older ones.

    A re-run is taken out: by other rules it tells nothing of its original.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
        rules_version = game_named(match.game).rules_version
        if match.state != State.QUEUED or match.rules_version == rules_version:
            return
        if match.kind == Match.Kind.RERUN:
            matches_take_out(matches=[match], reason=RULES_CHANGED)
            return
        match.rules_version = rules_version
        rows_update([match], ["rules_version"])
        _attempt_withdraw(match, worker="", reason=RULES_CHANGED)


# --- Signs of life --------------------------------------------------------------------------------------------------


@transaction.atomic
def match_heartbeat(*, report: Heartbeat) -> None:
    """Note that a match is being played, and renew its lease. Without effect when the lease counts no more.

    From a quarantined worker it is taken back at once: it may have started anew and not yet heard that it is one.
    """
    match = _match_leased(report.match_id, report.lease_token)
    if match is None:
        return
    if worker_is_quarantined(name=report.worker):
        _attempt_withdraw(match, report.worker)
    elif match.state == State.QUEUED:
        _match_start(match, report)
    else:
        match.lease_renew()
        rows_update([match], ["lease_ends_at"])


def _match_start(match: Match, report: Heartbeat) -> None:
    attempt = match.attempts.get(lease_token=report.lease_token)
    attempt.worker = report.worker
    attempt.started_at = _started_at(attempt, report.seconds)
    attempt.save(update_fields=["worker", "started_at"])
    match_transition(match=match, state=State.RUNNING, started_at=attempt.started_at)


def _started_at(attempt: Attempt, seconds: float) -> datetime:
    """Return when a worker took a match, by our clock; never before it was handed out, whatever the worker says."""
    return max(timezone.now() - timedelta(seconds=seconds), attempt.queued_at)


def _match_leased(match_id: int, token: str) -> Match | None:
    """Lock and return the match if the token still counts."""
    match = match_locked(pk=match_id)
    if match is None or not match.lease_holds(token):
        number = Attempt.objects.filter(lease_token=token).values_list("number", flat=True).first()
        log.info("match_report_late", match=match_id, attempt=number)
        return None
    return match


# --- Endings --------------------------------------------------------------------------------------------------------


@transaction.atomic
def match_record_result(*, report: MatchReport) -> str:
    """Take the report of how an attempt ended. Whatever comes, and however often: a match gets one result.

    A result with the current token is committed. A late or doubled one is kept at its attempt. A platform fault, a
    report that cannot be true, or one of a worker that is in quarantine or lacks something gives the match to another
    worker; nobody loses for it.

    Returns:
        The game of the match; empty if there is no such match.
    """
    match = match_locked(pk=report.match_id)
    attempt = attempt_with_token(token=report.lease_token)
    if match is None or attempt is None or attempt.match_id != match.pk:
        log.error("match_report_unknown", match=report.match_id, attempt=report.attempt)
        return match.game if match else ""
    attempt.worker = report.worker
    if not match.lease_holds(report.lease_token):
        _attempt_late(attempt)
    elif worker_is_quarantined(name=report.worker):
        _attempt_withdraw(match, report.worker)
    elif _others_may(match, report):
        held = report.lacks == RULES and match.attempt >= ATTEMPTS_MAX
        _attempt_withdraw(match, report.worker, report.platform_fault or "", held=held)
    elif report.platform_fault and report.turns and match.attempt <= AGAIN_MAX:
        # Played to its end, and a bot waited: no bot is lost, and its machine is not sick. It may be less busy later.
        _attempt_withdraw(match, report.worker, report.platform_fault, held=True)
    elif fault := report.platform_fault or report_problem(match=match, report=report):
        _attempt_end(attempt, Ending.PLATFORM_FAULT, fault)
        _match_again(match, fault)
        _bots_mend(match)
    else:
        attempt.started_at = attempt.started_at or _started_at(attempt, report.seconds)
        _attempt_end(attempt, Ending.RESULT)
        _match_finish(match, attempt, report)
    return match.game


def match_attempt_lost(*, match_id: int) -> None:
    """Take a match back from a worker whose lease has run out, unless it has given a sign of life meanwhile."""
    with transaction.atomic():
        match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
        if not match.lease_expired():
            return
        reason = "The worker gave no sign of life any more."
        _attempt_end(match.attempts.get(lease_token=match.lease_token), Ending.LOST, reason)
        _match_again(match, reason)


@transaction.atomic
def match_withdraw(*, match_id: int, worker: str) -> bool:
    """Take a match back from a worker that is not trusted any more.

    Returns:
        Whether it has been: another worker may have it by now, or it may have ended.
    """
    match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
    if not match.attempts.filter(lease_token=match.lease_token, worker=worker).exists():
        return False
    _attempt_withdraw(match, worker)
    return True


def _others_may(match: Match, report: MatchReport) -> bool:
    """Tell whether another worker may have what this one lacks, and the match has not gone round too often.

    The rules always: amid an upgrade it is a matter of minutes until one has them, or this one.
    """
    if not report.lacks or match.attempt >= ATTEMPTS_LACKING_MAX:
        return False
    return report.lacks == RULES or language_elsewhere(name=report.lacks, worker=report.worker)


def _attempt_withdraw(
    match: Match, worker: str, reason: str = "Its worker is in quarantine.", *, held: bool = False
) -> None:
    """End the current attempt and hand the match to another worker; ``ATTEMPTS_MAX`` does not count it."""
    attempt = match.attempts.get(lease_token=match.lease_token)
    attempt.worker = worker
    log.warning("match_attempt_withdrawn", match=match.pk, attempt=attempt.number, worker=worker)
    _attempt_end(attempt, Ending.WITHDRAWN, reason)
    match_enqueue(match=match, held=held)


def match_void(*, match: Match, reason: str) -> None:
    """Take a match out of the ratings for good; it stays visible with the reason.

    Raises:
        IllegalTransition: it is void already.
    """
    with transaction.atomic():
        matches_take_out(matches=[Match.objects.select_for_update(no_key=True).get(pk=match.pk)], reason=reason)


def matches_take_out(*, matches: Sequence[Match], reason: str) -> None:
    """Take matches out for good, with the attempts under way. Probations are reviewed once, at the end.

    Args:
        matches: locked by the caller's transaction.
        reason: a sentence that everybody may read.

    Raises:
        IllegalTransition: one is void already.
    """
    rated = [match.pk for match in matches if match.state == State.FINISHED and match.kind == Match.Kind.LADDER]
    for match in matches:
        if match.lease_token:
            _attempt_end(match.attempts.get(lease_token=match.lease_token), Ending.WITHDRAWN)
        match_transition(match=match, state=State.VOID, reason=reason)
    if rated:
        probation_review(seats=list(Seat.objects.filter(match__in=rated).exclude(verdict="")))


def _match_again(match: Match, reason: str) -> None:
    """Hand the match out once more, or give it up after so many attempts."""
    log.warning("match_attempt_failed", match=match.pk, attempt=match.attempt, reason=reason)
    failures = match.attempts.exclude(ending=Ending.WITHDRAWN).count()
    if failures < ATTEMPTS_MAX:
        match_enqueue(match=match, held=failures == ATTEMPTS_MAX - 1)
    else:
        sentence = f"Our platform failed {ATTEMPTS_MAX} times, so this match does not count. The last time: {reason}"
        match_transition(match=match, state=State.VOID, reason=sentence[:1_000])


def _bots_mend(match: Match) -> None:
    """See that bots which could not be had are built again. Once all is saved, since the store may take its time."""
    versions = list(match.seats.values_list("version", flat=True))
    transaction.on_commit(lambda: versions_lost_rebuild(pks=versions), robust=True)


def _match_finish(match: Match, attempt: Attempt, report: MatchReport) -> None:
    seats = seats_of(match=match.pk)
    digest = report.replay_digest or ""  # never empty, see report_problem
    log_digest = report.log_digest or ""
    Result.objects.create(match=match, attempt=attempt, turns=report.turns, replay_digest=digest, log_digest=log_digest)
    for seat, seat_report in zip(seats, report.seats, strict=True):
        _seat_fill(seat, seat_report)
    rows_update(seats, ["rank", "score", "cpu_ms_total", "cpu_ms_worst", "verdict", "evidence"])
    match_transition(match=match, state=State.FINISHED, started_at=attempt.started_at)
    if match.kind == Match.Kind.LADDER:
        probation_judge(seats=seats)
    ranks = [seat.rank for seat in seats]
    log.info("match_finished", match=match.pk, attempt=attempt.number, game=match.game, turns=report.turns, ranks=ranks)


def _seat_fill(seat: Seat, report: SeatReport) -> None:
    seat.rank = report.rank
    seat.score = report.score
    seat.cpu_ms_total = report.cpu_ms_total
    seat.cpu_ms_worst = report.cpu_ms_worst
    if report.fault is not None:
        seat.verdict = report.fault.verdict
        seat.evidence = msgspec.to_builtins(report.fault)


def _attempt_end(attempt: Attempt, ending: Ending, reason: str = "") -> None:
    attempt.ending = ending
    attempt.reason = reason[:1_000]
    attempt.ended_at = timezone.now()
    rows_update([attempt], ["worker", "started_at", "ended_at", "ending", "reason"])


def _attempt_late(attempt: Attempt) -> None:
    """Keep the trace of a late report; one that repeats what its attempt has already said changes nothing."""
    log.info("match_report_late", match=attempt.match_id, attempt=attempt.number)
    if attempt.ending in ("", Ending.LOST):
        _attempt_end(attempt, Ending.LATE, "It reported after its lease had been taken back.")
