"""Gives the job queue access to builds: which of them wait or run, and how to send their messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contests.selectors.contests import contests_on_own_hosts
from jobs.fairness import BUILD, HOUSE_BUILD, Job
from jobs.leases import held_times
from jobs.services.dispatching import Work
from ladder.models import BotVersion
from ladder.selectors.builds import builds_nobody_awaits
from ladder.services.bots import bots_lock
from ladder.services.builds import build_notify

State = BotVersion.State


def builds_are_due(_: object) -> bool:
    """Return whether a build waits whose message has not been sent yet (1 query)."""
    return BotVersion.objects.filter(state=State.UPLOADED, notified_at=None).exists()


def builds_in_flight() -> Iterable[tuple[Job, bool]]:
    """Yield waiting and running builds except held ones, each with whether its message has been sent (1 query)."""
    after, until = held_times()
    versions = BotVersion.objects.filter(state__in=(State.UPLOADED, State.BUILDING))
    versions = versions.exclude(held_until__gt=after, held_until__lte=until)
    versions = versions.annotate(unawaited=builds_nobody_awaits()).order_by()
    columns = ("pk", "bot__owner", "bot__contest", "unawaited", "notified_at", "attempt", "step")
    kept = contests_on_own_hosts()
    for pk, owner, contest, unawaited, notified_at, attempt, step in versions.values_list(*columns):
        queue_class = HOUSE_BUILD if unawaited else BUILD
        # A build that was requeued without using up an attempt has still reached a step.
        is_retry = attempt > 1 or bool(step)
        holders = frozenset({f"builds of {owner}"})
        yield Job(queue_class, pk, holders, is_retry, is_own=contest in kept), notified_at is not None


def builds_notify(pks: Sequence[int]) -> None:
    """Send the messages of builds to the workers, given the keys of their versions in the order of sending."""
    bots_lock(pks=BotVersion.objects.filter(pk__in=pks).values("bot"))
    for version in pks:
        build_notify(version_id=version)


BUILDS = Work(
    classes=frozenset({BUILD, HOUSE_BUILD}), is_due=builds_are_due, in_flight=builds_in_flight, notify=builds_notify
)
