"""Reads a tournament with its entrants, rounds and tables: all that a reader may know of it, and not more."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import msgspec

from accounts.access import Reader
from contests.selectors.people import organises
from core.message import Message
from formats import model
from tournaments.models import Entrant, Round, Table, Tournament


@dataclass(frozen=True, slots=True)
class RoundTold:
    """A round as a reader may know it."""

    row: Round
    tables: list[Table]
    """Its tables, with ``seats`` and their entrants prefetched. Unless ``is_told``, outcome, winner, reason and the
    points of the seats are blank in these objects."""
    is_told: bool
    """Whether the reader may know its results."""
    decided: list[model.Decided] = field(default_factory=list)
    """Its decided tables; empty if the results are not told."""

    @property
    def is_whole(self) -> bool:
        """Whether all its tables are decided, as far as the reader may know."""
        return self.row.finished_at is not None


@dataclass(frozen=True, slots=True)
class Told:
    """A tournament as a reader may know it."""

    tournament: Tournament
    stages: tuple[model.Stage, ...]
    rows: dict[int, Entrant]
    """Entrants by seed number, with ``bot`` (its owner and team) and ``version``; empty before the draw."""
    entrants: list[model.Entrant]
    """The entrants of ``rows`` as ``formats`` takes them; when one left is blank if that tells hidden results."""
    rounds: list[RoundTold]
    """The rounds of which the reader may know the pairing, in order. A pairing follows from the results of the rounds
    before it: so a reader gets all rounds with told results, and at most one more."""
    knows_all: bool
    """Whether the reader is an organiser or administrator, who knows hidden results, too."""

    @property
    def decided(self) -> list[model.Decided]:
        """All decided tables that the reader may know, as ``formats`` takes them."""
        return [decided for each in self.rounds for decided in each.decided]

    @property
    def decided_whole(self) -> list[model.Decided]:
        """The decided tables that the reader may know, in finished rounds: a TRF file cannot mark a table as open."""
        return [decided for each in self.rounds if each.is_whole for decided in each.decided]


def tournament_told(*, tournament: Tournament, reader: Reader | None) -> Told:
    """Return a tournament as ``reader`` may know it, or as everybody may if that is None.

    The caller has checked that the reader may see the tournament. 4 queries; 1 or 2 more if its results are hidden. The
    attack: somebody reads a winner before the ceremony on some page. So every page, file and operation of the API takes
    rounds and results from here.
    """
    knows_all = not tournament.is_hidden
    if not knows_all and reader is not None:
        knows_all = organises(reader=reader, contest=tournament.contest_id)
    return _told(tournament, knows_all=knows_all)


def tournament_whole(*, tournament: Tournament) -> Told:
    """Return a tournament with all results, hidden ones too: for services alone, never for a page (4 queries)."""
    return _told(tournament, knows_all=True)


def _told(tournament: Tournament, *, knows_all: bool) -> Told:
    entered = Entrant.objects.filter(tournament=tournament, number__isnull=False)
    rows = {
        row.number or 0: row for row in entered.select_related("bot__owner", "bot__team", "version").order_by("number")
    }
    rounds = []
    for row in tournament.rounds.order_by("stage", "number").prefetch_related("tables__seats__entrant"):
        is_told = knows_all or row.released_at is not None
        tables = list(row.tables.all())
        decided = [decided_of(row, table) for table in tables if table.outcome] if is_told else []
        if not is_told:
            row.finished_at = None
            for table in tables:
                _blank(table)
        rounds.append(RoundTold(row, tables, is_told, decided))
        if not is_told:
            break
    entrants = [entrant_of(row) for row in rows.values()]
    if not knows_all:
        # From which round on an entrant plays no more tells how far it had come.
        known = max(((each.row.stage, each.row.number) for each in rounds if each.is_told), default=(-1, 0))
        entrants = [
            msgspec.structs.replace(each, left=None) if each.left and each.left > known else each for each in entrants
        ]
    return Told(tournament, tournament.stages_read(), rows, entrants, rounds, knows_all)


def table_of(round_: Round, table: Table) -> model.Pairing:
    """Return a table as the record that ``formats`` takes (no query if its seats and their entrants are prefetched)."""
    return model.Pairing(
        stage=round_.stage,
        round=round_.number,
        number=table.number,
        entrants=tuple(seat.entrant.number or 0 for seat in table.seats.all()),
        group=table.group,
        sources=tuple(tuple(source) if source else None for source in table.sources),
        why=Message(**table.why) if table.why else None,
    )


def decided_of(round_: Round, table: Table) -> model.Decided:
    """Return a decided table as ``formats`` takes it (no query if its seats and their entrants are prefetched)."""
    seats = table.seats.all()
    return model.Decided(
        table_of(round_, table),
        points=tuple(seat.points or 0.0 for seat in seats),
        games=tuple(seat.games or 0.0 for seat in seats) if table.matches_counted else (),
        played=table.matches_counted,
        outcome=model.Outcome(table.outcome),
        winner=table.winner,
    )


def entrant_of(row: Entrant) -> model.Entrant:
    """Return an entrant that has a seed number as ``formats`` takes it (no query if its bot was selected with it)."""
    left = None if row.left_stage is None or row.left_round is None else (row.left_stage, row.left_round)
    return model.Entrant(row.number or 0, row.bot.name, row.rating or 0.0, left)


def _blank(table: Table) -> None:
    """Blank the result of a table and of its seats in these objects; the caller must never save them."""
    table.outcome, table.winner, table.matches_counted, table.reason, table.decided_at = "", 0, 0, "", None
    for seat in table.seats.all():
        seat.points = seat.games = None


def told_until(*, told: Told, stage: int, number: int, tables: Collection[int]) -> Told:
    """Return a tournament as it was known when ``tables`` of a round, given by their numbers, were decided (no query).

    ``stage`` counts from 0, ``number`` is the round's, from 1. The results of its other tables become blank in ``told``
    too.
    """
    rounds = []
    for each in told.rounds:
        if (each.row.stage, each.row.number) < (stage, number):
            rounds.append(each)
        elif (each.row.stage, each.row.number) == (stage, number):
            for table in each.tables:
                if table.number not in tables:
                    _blank(table)
            decided = [found for found in each.decided if found.pairing.number in tables]
            rounds.append(replace(each, decided=decided))
    return replace(told, rounds=rounds)
