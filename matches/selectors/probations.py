"""What the owner of a version on probation is shown: the faults that brought it there, and what to do about them."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.models import BotVersion
from ladder.words.advice import advice_for
from matches.models import Seat
from matches.selectors.matches import WON, seats_rated
from matches.services.probation import MATCHES_JUDGED


def probation_faults(*, version: BotVersion) -> list[Seat]:
    """Return the newest faults that count of a version on probation (1 query); of others none (no query)."""
    if version.state != BotVersion.State.PROBATION:
        return []
    rated = seats_rated(version=version)
    if version.looked_at:
        rated = rated.filter(match__finished_at__gt=version.looked_at)
    return list(
        rated.exclude(verdict="").exclude(WON).only("match", "version", "verdict").order_by("-match")[:MATCHES_JUDGED]
    )


def probation_advices(*, version: BotVersion, faults: Sequence[Seat]) -> list[str]:
    """Return what to do about each kind of fault among these of a version."""
    verdicts = dict.fromkeys(seat.verdict for seat in faults)
    return [
        advice for verdict in verdicts if (advice := advice_for(verdict=verdict, step="", language=version.language))
    ]
