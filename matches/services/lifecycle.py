"""The states of a match: created, moved on, made void. ``matches.services.match_jobs`` has its life as a leased job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from common.errors import IllegalTransition
from common.queries.sql import rows_update
from common.signals import results_void
from core.message import Message, stored
from jobs.services.dispatching import queue_announce
from jobs.services.heartbeats import lease_end_announce
from matches.models import Attempt, Match, RemoteSeat, Seat
from matches.services.probation import probation_review
from matches.services.throttle import dispatch_check_due

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
    Attempt.objects.bulk_create(attempt_new(match) for match in matches)
    Seat.objects.bulk_create(
        Seat(match=match, index=index, version_id=pk) for match, versions in tables for index, pk in enumerate(versions)
    )
    queue_announce()
    return matches


def match_repeat(*, match: Match, **changes: Any) -> Match:
    """Save a match like another one: in its contest, with its seats, seed and options, under its rules (4 queries).

    ``changes`` are values of columns that differ.

    Raises:
        django.db.IntegrityError: as ``matches_create``.
    """
    same = ("contest_id", "game", "rules_version", "options", "seed", "encounter", "kind", "queue_class")
    new = Match(**{name: getattr(match, name) for name in same} | changes)
    matches_create(tables=[(new, match.seats.order_by("index").values_list("version", flat=True))])
    return new


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
    attempt_new(match).save()
    Seat.objects.bulk_create(Seat(match=match, index=index, version_id=pk) for index, pk in bots.items())
    for remote in remotes:
        remote.match = match
    RemoteSeat.objects.bulk_create(remotes)
    return match


def attempt_new(match: Match) -> Attempt:
    """Return the attempt of a match's current lease, not saved yet."""
    return Attempt(match=match, number=match.attempt, lease_token=match.lease_token)


# --- Endings --------------------------------------------------------------------------------------------------------


def match_void(*, match: Match, reason: Message) -> None:
    """Make a match void for good: it leaves the ratings, and stays visible with the reason.

    Raises:
        IllegalTransition: it is void already.
    """
    with transaction.atomic():
        matches_void(matches=[Match.objects.select_for_update(no_key=True).get(pk=match.pk)], reason=reason)


def matches_void(*, matches: Sequence[Match], reason: Message) -> None:
    """Make matches void for good, and end their running attempts. Probations are reviewed once, after the last match.

    The caller's transaction has locked the rows of ``matches``. Everybody may read the reason.

    Raises:
        IllegalTransition: one is void already.
    """
    ended = [match.pk for match in matches if match.state == State.FINISHED]
    rated = [match.pk for match in matches if match.state == State.FINISHED and match.kind == Match.Kind.LADDER]
    for match in matches:
        if match.lease_token:
            attempt_end(match.attempts.get(lease_token=match.lease_token), Ending.WITHDRAWN)
        match_transition(match=match, state=State.VOID, reason=reason)
    if rated:
        probation_review(seats=list(Seat.objects.filter(match__in=rated).exclude(verdict="")))
    if ended:
        results_void.send(sender=None, matches=ended)


def attempt_end(attempt: Attempt, ending: Ending, reason: Message | None = None) -> None:
    """Store how and why an attempt ended, and when: now. Its changed ``worker`` and ``started_at`` are stored, too."""
    attempt.ending = ending
    attempt.reason = stored(reason)
    attempt.ended_at = timezone.now()
    rows_update([attempt], ["worker", "started_at", "ended_at", "ending", "reason"])
