"""Gives the job queue access to tries: which of them wait or run, and how to send their messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contests.selectors.contests import contests_on_own_hosts
from jobs.fairness import TRY, Job
from jobs.services.dispatching import Work
from workshop.models import Try
from workshop.services.tries import try_notify


def tries_are_due(_: object) -> bool:
    """Return whether a try waits whose message has not been sent yet (1 query)."""
    return Try.objects.filter(state=Try.State.WAITING, notified_at=None).exists()


def tries_in_flight() -> Iterable[tuple[Job, bool]]:
    """Yield waiting and running tries, each with whether its message has been sent (1 query)."""
    tries = Try.objects.filter(state__in=Try.OPEN).order_by()
    kept = contests_on_own_hosts()
    for pk, owner, contest, notified_at in tries.values_list("pk", "owner", "contest", "notified_at"):
        holders = frozenset({f"builds of {owner}"})
        yield Job(TRY, pk, holders, is_own=contest in kept), notified_at is not None


def tries_notify(pks: Sequence[int]) -> None:
    """Send the messages of tries to the workers, given their keys in the order of sending."""
    for pk in pks:
        try_notify(pk=pk)


TRIES = Work(classes=frozenset({TRY}), is_due=tries_are_due, in_flight=tries_in_flight, notify=tries_notify)
