"""The builds that wait for workers, as the queue sees them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jobs.fairness import BUILD, HOUSE_BUILD, Job
from jobs.leases import held_times
from jobs.services.dispatching import Work
from ladder.models import BotVersion
from ladder.selectors.bots import builds_nobody_awaits
from ladder.services.builds import build_notify
from ladder.services.versions import bots_lock

State = BotVersion.State


def builds_are_due() -> bool:
    """Tell whether an upload waits whose message has not been sent (1 query)."""
    return BotVersion.objects.filter(state=State.UPLOADED, notified_at=None).exists()


def builds_in_flight() -> Iterable[tuple[Job, bool]]:
    """Return the builds in flight that are not held, each with whether its message has been sent (1 query)."""
    after, until = held_times()
    versions = BotVersion.objects.filter(state__in=(State.UPLOADED, State.BUILDING))
    versions = versions.exclude(held_until__gt=after, held_until__lte=until)
    versions = versions.annotate(unawaited=builds_nobody_awaits()).order_by()
    columns = ("pk", "bot__owner", "unawaited", "notified_at", "attempt", "step")
    for pk, owner, unawaited, notified_at, attempt, step in versions.values_list(*columns):
        line = HOUSE_BUILD if unawaited else BUILD
        # A build that was taken back has used up no attempt, but has reached a step.
        is_retry = attempt > 1 or bool(step)
        yield Job(line, pk, frozenset({f"builds of {owner}"}), is_retry), notified_at is not None


def builds_notify(pks: Sequence[int]) -> None:
    """Send the messages of builds to the workers, given the keys of their versions in order."""
    bots_lock(pks=BotVersion.objects.filter(pk__in=pks).values("bot"))
    for version in pks:
        build_notify(version_id=version)


BUILDS = Work(
    classes=frozenset({BUILD, HOUSE_BUILD}), is_due=builds_are_due, in_flight=builds_in_flight, notify=builds_notify
)
