"""Checks the fields of a tournament, and says by the field what to change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict

from tournaments.models import Tournament

ENTRANTS_MAX = 256
"""Most entrants of a tournament of this arena."""


class TournamentFields(TypedDict, total=False):
    """The fields of a tournament that its organisers set; those of ``tournaments.models.Tournament``."""

    title: str
    description: str
    prizes: str
    stages: Sequence[Mapping[str, Any]]
    """JSON objects of ``formats.model.Stage``."""
    entry: str
    entrants_max: int | None
    entries_until: datetime | None
    starts_at: datetime | None
    results: str


FIELDS = tuple(TournamentFields.__annotations__)


def tournament_faults(*, tournament: Tournament, before: Tournament | None) -> dict[str, str]:
    """Return a sentence for each field of a tournament that cannot be as it is; empty if it can be saved.

    Only fields that differ from ``before`` can be at fault.

    Args:
        tournament: the tournament with the wanted fields, not saved yet, and with its contest.
        before: the tournament as it is stored; None if it is new.
    """
    raise NotImplementedError
