"""Reads tables of tournaments."""

from __future__ import annotations

from matches.models import Match
from tournaments.models import Table


def table_of_match(*, match: Match) -> Table | None:
    """Return the table at which a match is played, with its round and tournament (1 query); None if there is none.

    Args:
        match: a match that the reader may see: which match belongs to which table is told with its result.
    """
    return Table.objects.select_related("round__tournament").filter(matches__match=match.pk).first()
