"""Reads the queue of builds."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from ladder.models import BotVersion
from ladder.selectors.bots import LIVE_STATES


def builds_nobody_awaits() -> Q:
    """Return a condition on versions: nobody waits for their build, so other builds go first.

    These are versions of house bots, and versions that would not play because a newer version plays or will be built.
    If the newer version is rejected or withdrawn, the older one is awaited again; until then it serves only private
    tests.
    """
    newer = BotVersion.objects.filter(bot=OuterRef("bot"), number__gt=OuterRef("number"), state__in=LIVE_STATES)
    return Q(bot__is_house=True) | Q(Exists(newer))


def builds_waiting() -> int:
    """Return how many versions of all users wait for a builder (1 query)."""
    return BotVersion.objects.filter(state=BotVersion.State.UPLOADED).count()
