"""Reads drafts."""

from __future__ import annotations

from accounts.access import Reader
from contests.models import Contest
from workshop.models import Draft


def drafts_of(*, reader: Reader, contest: Contest) -> list[Draft]:
    """Return the drafts of a reader in a contest, the one that was changed last first (1 query)."""
    if reader.pk is None:
        return []
    return list(Draft.objects.filter(owner=reader.pk, contest=contest))
