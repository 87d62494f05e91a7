"""Reads the queue of builds, and the errors in build logs."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from contests.models import Contest
from ladder.models import BotVersion
from ladder.selectors.bots import LIVE_STATES

State = BotVersion.State
STDERR = "--- Standard error ---\n"
"""The heading before a program's standard error in a build log (``workers.evidence`` writes it)."""
ERROR_CHARS_MAX = 300


def builds_nobody_awaits() -> Q:
    """Return a condition on versions: nobody waits for their build, so other builds go first.

    These are versions of house bots, and versions that would not play because a newer version plays or will be built.
    If the newer version is rejected or withdrawn, the older one is awaited again; until then it serves only private
    tests.
    """
    newer = BotVersion.objects.filter(bot=OuterRef("bot"), number__gt=OuterRef("number"), state__in=LIVE_STATES)
    return Q(bot__is_house=True) | Q(Exists(newer))


def builds_in_time(*, contest: Contest) -> QuerySet[BotVersion]:
    """Return the versions of a frozen contest that are not built yet and whose uploads came before the freeze."""
    unbuilt = (State.RECEIVED, State.UPLOADED, State.BUILDING)
    return BotVersion.objects.filter(
        bot__contest=contest, state__in=unbuilt, received_at__lte=contest.frozen_at or timezone.now()
    )


def builds_waiting() -> int:
    """Return how many versions of all users wait to be examined or for a builder (1 query)."""
    return BotVersion.objects.filter(state__in=(State.RECEIVED, State.UPLOADED)).count()


def last_error(*, log: str) -> str:
    """Return the last line of standard error in a build log, or the last line of the log if there was none.

    Only its first ``ERROR_CHARS_MAX`` characters are returned.
    """
    _, found, written = log.partition(STDERR)
    errors = written.partition("\n\n---")[0] if found else log
    return errors.rstrip().rpartition("\n")[2][:ERROR_CHARS_MAX]
