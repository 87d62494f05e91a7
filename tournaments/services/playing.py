"""Plays a round on: collects results, plays void matches again, decides tables, and draws the next round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import structlog
from django.utils import timezone

from contests.selectors.contests import contest_rules
from contests.services.contests import contest_begin
from core.message import Message
from formats import model
from formats.pairings import pairing_decide
from formats.rounds import next_round
from formats.seeds import encounter_seed
from formats.standings import places
from matches.models import Match, Seat
from matches.services.lifecycle import matches_create, matches_void
from rating.matchmaking import rotations
from tournaments.models import Entrant, Round, Table, TableMatch, TableSeat, Tournament
from tournaments.selectors.loading import entrant_of, table_of, tournament_whole
from tournaments.services.drawing import round_insert
from tournaments.services.releasing import faults_notify, tournament_tell
from tournaments.services.transitions import State, tournament_transition
from tournaments.validation import sizes_of

log = structlog.get_logger(__name__)

VOID_MAX = 5
"""A tournament is paused when a match has become void so many times since the tournament was started or resumed."""
FORFEIT = Message("tournament-match-forfeit")


@dataclass(slots=True)
class _Played:
    """The newest match of one encounter and rotation at a table."""

    match: int
    state: str
    attempt: int
    void_reason: dict[str, object]
    ranks: dict[int, int] = field(default_factory=dict)
    """The ranks from 1 by primary key of the version; empty until the match is finished."""


_Places = Mapping[tuple[int, int], _Played]
"""The newest matches of a table, by encounter and rotation."""


def tournament_play(*, tournament: Tournament, is_resumed: bool = False) -> bool:
    """Take a running tournament as far as the results of its matches allow; return whether anything was written.

    The caller has locked its row and loaded its contest with it. ``is_resumed`` says that it was paused until now: then
    matches that were void too often are tried again. 8 queries if there is nothing to do.
    """
    is_changed = False
    stages = tournament.stages_read()
    rows = Entrant.objects.filter(tournament=tournament, number__isnull=False).select_related("bot")
    entrants = [entrant_of(row) for row in rows.order_by("number")]
    while tournament.state == State.RUNNING:
        row = tournament.rounds.order_by("-stage", "-number").first()
        if row is None:  # a tournament that was drawn has a round
            return is_changed
        played = _Playing(tournament, row, stages[row.stage], entrants, is_resumed=is_resumed)
        is_changed |= played.step()
        if row.finished_at is None:
            return is_changed
        _go_on(tournament, row)
    return is_changed


def _go_on(tournament: Tournament, ended: Round) -> None:
    """Draw the round after one that has ended, or finish the tournament (6 queries, more at the end)."""
    if (draw := round_next(tournament=tournament)) is not None:
        round_insert(tournament=tournament, draw=draw)
        log.info("tournament_drawn", tournament=tournament.pk, stage=draw.stage, round=draw.round)
        if draw.stage != ended.stage:
            faults_notify(tournament=tournament)
        return
    places_set(tournament=tournament)
    tournament_transition(tournament=tournament, to=State.FINISHED)
    if tournament.results == Tournament.Results.AT_ONCE:
        tournament_tell(tournament=tournament)


def round_next(*, tournament: Tournament) -> model.Draw | None:
    """Return the round that follows from the results of all rounds, or None after the last one (4 queries)."""
    whole = tournament_whole(tournament=tournament)
    return next_round(
        stages=whole.stages,
        entrants=whole.entrants,
        decided=whole.decided,
        lots=tournament.lots,
        sizes=sizes_of(contest=tournament.contest),
    )


def places_set(*, tournament: Tournament) -> None:
    """Store where each entrant has come, from the results of all rounds (5 queries)."""
    whole = tournament_whole(tournament=tournament)
    for place in places(stages=whole.stages, entrants=whole.entrants, decided=whole.decided):
        whole.rows[place.entrant].place = place.place
    Entrant.objects.bulk_update(whole.rows.values(), ["place"])


def table_write(*, table: Table, decided: model.Decided, reason: str = "") -> None:
    """Write the result of a table, and the reason if it was decided by hand (2 queries).

    ``table`` has its seats prefetched, and the caller has locked its tournament (``tournament_locked``).
    """
    seats = _decide(table, decided, reason)
    table.save()
    TableSeat.objects.bulk_update(seats, ["points", "games"])


def _decide(table: Table, decided: model.Decided, reason: str = "") -> list[TableSeat]:
    """Set the result of a table and of its seats in these objects, and return the seats."""
    table.outcome, table.winner, table.matches_counted = decided.outcome, decided.winner, decided.played
    table.reason, table.decided_at = reason, timezone.now()
    seats = list(table.seats.all())
    for seat, points, games in zip(seats, decided.points, decided.games or [0.0] * len(seats), strict=True):
        seat.points, seat.games = points, games
    return seats


def table_matches_void(*, tables: Sequence[Table], reason: Message) -> None:
    """Void the matches of tables that wait or are being played; each stores ``reason``."""
    under_way = Match.objects.filter(table_match__table__in=tables, state__in=(Match.State.QUEUED, Match.State.RUNNING))
    keys = list(under_way.values_list("pk", flat=True))
    # The lock reads their states anew: a match that has just got its result keeps it.
    locked = Match.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
    matches_void(
        matches=[match for match in locked if match.state in (Match.State.QUEUED, Match.State.RUNNING)], reason=reason
    )


class _Playing:
    """Takes the newest round of a tournament (``row``) as far as the results of its matches allow."""

    def __init__(
        self,
        tournament: Tournament,
        row: Round,
        stage: model.Stage,
        entrants: Sequence[model.Entrant],
        *,
        is_resumed: bool,
    ) -> None:
        self.tournament, self.row, self.stage, self.entrants = tournament, row, stage, entrants
        self.is_resumed = is_resumed
        open_tables = row.tables.filter(outcome="").order_by("number")
        self.tables = list(open_tables.prefetch_related("seats__entrant"))
        self.played = self._played_read()
        self.made: list[tuple[TableMatch, tuple[int, ...]]] = []
        self.decided: list[tuple[Table, model.Decided]] = []

    def step(self) -> bool:
        """Decide tables, make the matches that open ones lack, and end the round if it has no open table.

        If a match was void too often, only pause the tournament.

        Returns:
            Whether tables were decided, matches made, or the tournament paused.
        """
        for table in self.tables:
            if not self._table_step(table):
                return True
        self._write()
        if len(self.decided) == len(self.tables):
            self.row.finished_at = timezone.now()
            self.row.save(update_fields=["finished_at"])
        return bool(self.made or self.decided)

    def _table_step(self, table: Table) -> bool:
        """Decide a table, or prepare the matches that it lacks; return False if the tournament was paused instead."""
        drawn = table_of(self.row, table)
        versions = tuple(seat.entrant.version_id for seat in table.seats.all())
        places = self.played[table.pk]
        said = pairing_decide(
            stage=self.stage, pairing=drawn, entrants=self.entrants, encounters=_encounters(places, versions)
        )
        if isinstance(said, model.Decided):
            self.decided.append((table, said))
            return True
        seatings = rotations(versions)
        for encounter, rotation in product(range(said), range(len(versions))):
            last = places.get((encounter, rotation))
            if last is not None and last.state != Match.State.VOID:
                continue
            attempt = 0 if last is None else last.attempt + 1
            if last is not None and attempt % VOID_MAX == 0 and not self.is_resumed:
                self._pause(table, last)
                return False
            match = Match(
                seed=encounter_seed(
                    lots=self.tournament.lots,
                    stage=self.row.stage,
                    round_=self.row.number,
                    pairing=table.number,
                    encounter=encounter + 1,
                ),
                encounter=f"table-{table.pk}-{encounter}",
                replaces_id=None if last is None else last.match,
            )
            place = TableMatch(table=table, encounter=encounter, rotation=rotation, attempt=attempt, match=match)
            self.made.append((place, seatings[rotation]))
        return True

    def _pause(self, table: Table, last: _Played) -> None:
        # Everybody reads it: the number of a hidden match must not be in it.
        why = {"table": table.number, "times": last.attempt + 1, "why": last.void_reason}
        log.warning("tournament_paused", tournament=self.tournament.pk, match=last.match, times=last.attempt + 1)
        reason = Message("tournament-match-failing", why)
        tournament_transition(tournament=self.tournament, to=State.PAUSED, reason=reason)

    def _write(self) -> None:
        forfeits = [table for table, decided in self.decided if decided.outcome == model.Outcome.FORFEIT]
        if forfeits:
            table_matches_void(tables=forfeits, reason=FORFEIT)
        if self.decided:
            seats = [seat for table, decided in self.decided for seat in _decide(table, decided)]
            columns = ["outcome", "winner", "matches_counted", "reason", "decided_at"]
            Table.objects.bulk_update([table for table, _ in self.decided], columns)
            TableSeat.objects.bulk_update(seats, ["points", "games"])
        if self.made:
            self._make()

    def _make(self) -> None:
        contest = self.tournament.contest
        contest_begin(contest=contest)
        rules, options = contest_rules(contest=contest)
        for place, _seating in self.made:
            match = place.match
            match.contest, match.game, match.rules_version, match.options = (
                contest,
                rules.name,
                rules.rules_version,
                options,
            )
            match.kind, match.queue_class = Match.Kind.TOURNAMENT, Match.QueueClass.TOURNAMENT
            match.is_hidden = self.row.released_at is None
        matches_create(tables=[(place.match, seating) for place, seating in self.made])
        TableMatch.objects.bulk_create(place for place, _seating in self.made)

    def _played_read(self) -> dict[int, dict[tuple[int, int], _Played]]:
        """Return the newest match of each encounter and rotation, by primary key of the open tables (2 queries)."""
        open_places = {"table__round": self.row, "table__outcome": ""}
        columns = ("table", "encounter", "rotation", "attempt", "match", "match__state", "match__void_reason")
        found: dict[int, dict[tuple[int, int], _Played]] = defaultdict(dict)
        by_match = {}
        rows = TableMatch.objects.filter(**open_places).order_by("attempt").values_list(*columns)
        for table, encounter, rotation, attempt, match, state, void_reason in rows:
            place = _Played(match, state, attempt, void_reason)
            found[table][encounter, rotation] = by_match[match] = place
        seats = Seat.objects.filter(
            match__table_match__in=TableMatch.objects.filter(**open_places), match__state=Match.State.FINISHED
        )
        for match, version, rank in seats.values_list("match", "version", "rank"):
            if match in by_match and rank is not None:
                by_match[match].ranks[version] = rank
        return found


def _encounters(places: _Places, versions: Sequence[int]) -> list[list[list[int] | None]]:
    """Return, by encounter and rotation, the ranks of ``versions`` in the match as ``pairing_decide`` takes them.

    None stands for a match that has no result yet.
    """
    count = 1 + max((encounter for encounter, _ in places), default=-1)
    return [[_ranks(places.get((each, k)), versions) for k in range(len(versions))] for each in range(count)]


def _ranks(played: _Played | None, versions: Sequence[int]) -> list[int] | None:
    if played is None or played.state != Match.State.FINISHED:
        return None
    if len(played.ranks) < len(versions):  # it became void between the two queries: the next step plays it again
        return None
    return [played.ranks[version] for version in versions]
