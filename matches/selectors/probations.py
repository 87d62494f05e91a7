"""Queries for the owner of a version on probation: the faults that led to it, and advice about them."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.models import BotVersion
from ladder.words.advice import advice_for
from matches.models import Seat
from matches.selectors.matches import WON, seats_rated
from matches.services.probation import MATCHES_JUDGED


def probation_faults(*, version: BotVersion) -> list[Seat]:
    """Return the seats with the newest faults that count for a version on probation, newest first (1 query).

    Empty, without a query, for a version in another state.
    """
    if version.state != BotVersion.State.PROBATION:
        return []
    rated = seats_rated(version=version)
    if version.looked_at:
        rated = rated.filter(match__finished_at__gt=version.looked_at)
    return list(
        rated.exclude(verdict="").exclude(WON).only("match", "version", "verdict").order_by("-match")[:MATCHES_JUDGED]
    )


def probation_advices(*, version: BotVersion, faults: Sequence[Seat]) -> list[str]:
    """Return a piece of advice for each kind of fault among these seats of a version."""
    verdicts = dict.fromkeys(seat.verdict for seat in faults)
    return [
        advice for verdict in verdicts if (advice := advice_for(verdict=verdict, step="", language=version.language))
    ]
