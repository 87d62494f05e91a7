"""What the queue of jobs (``jobs.services.dispatching``) needs to know about matches that wait for workers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from contests.selectors.contests import contests_on_own_hosts
from jobs.fairness import BUILD, HOUSE_BUILD, IN_FLIGHT_PER_PROCESS, SHARES, TRY, Job
from jobs.leases import held_times
from jobs.services.dispatching import Work
from matches.selectors.statements import in_flight_bots, in_flight_count
from matches.services.notifying import matches_notify


def matches_are_due(processes_count: Callable[[], int]) -> bool:
    """Tell whether enough processes are free to hand out a batch of matches (2 queries).

    Args:
        processes_count: counts the processes of the workers.
    """
    matches, out = in_flight_count()
    if matches == out:
        return False
    processes = processes_count()
    return IN_FLIGHT_PER_PROCESS * processes - out >= max(processes // 2, 1)


def matches_in_flight() -> Iterable[tuple[Job, bool]]:
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


MATCHES = Work(
    classes=frozenset(SHARES) - {BUILD, HOUSE_BUILD, TRY},
    is_due=matches_are_due,
    in_flight=matches_in_flight,
    notify=lambda pks: matches_notify(pks=pks),
)
