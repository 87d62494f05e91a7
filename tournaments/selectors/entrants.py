"""Reads the entrants of tournaments."""

from __future__ import annotations

from django.db.models import F, QuerySet

from tournaments.models import Entrant, Tournament


def entrants_of(*, tournament: Tournament) -> QuerySet[Entrant]:
    """Return the entrants with bot, owner and version: by seed number, before the draw in the order of entry."""
    found = Entrant.objects.filter(tournament=tournament).select_related("bot__owner", "bot__team", "version")
    return found.order_by(F("number").asc(nulls_last=True), "pk")
