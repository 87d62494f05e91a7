"""Writes drawn rounds: the tables and their seats."""

from __future__ import annotations

from django.utils import timezone

from core.message import stored
from formats import model
from tournaments.models import Entrant, Round, Table, TableSeat, Tournament


def round_insert(*, tournament: Tournament, draw: model.Draw) -> Round:
    """Insert a drawn round with its tables, all open, and return it (4 queries).

    The caller has locked the tournament (``tournament_locked``), and its entrants have seed numbers.

    Raises:
        django.db.IntegrityError: the round has been inserted already.
    """
    at_once = tournament.results == Tournament.Results.AT_ONCE
    row = Round.objects.create(
        tournament=tournament,
        stage=draw.stage,
        number=draw.round,
        released_at=timezone.now() if at_once else None,
    )
    tables = Table.objects.bulk_create(
        Table(
            round=row,
            number=table.number,
            group=table.group,
            sources=[list(source) if source else None for source in table.sources],
            why=stored(table.why),
        )
        for table in draw.pairings
    )
    keys = dict(Entrant.objects.filter(tournament=tournament, number__isnull=False).values_list("number", "pk"))
    TableSeat.objects.bulk_create(
        TableSeat(table=table, index=index, entrant_id=keys[number])
        for table, drawn in zip(tables, draw.pairings, strict=True)
        for index, number in enumerate(drawn.entrants)
    )
    return row
