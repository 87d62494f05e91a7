"""What the pages of a tournament show: rounds, tables and matches. All of it comes from ``Told``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from django.utils.translation import gettext as _

from formats.model import KNOCKOUTS, Stage
from formats.pairings import points_of
from matches.models import Match
from tournaments import titles
from tournaments.models import Entrant, Round, Table, TableMatch
from tournaments.selectors.loading import RoundTold, Told
from tournaments.words import points_words

LETTERS = "abcd"
"""What the matches of an encounter are called: one letter for each rotation of the seats."""


@dataclass(frozen=True, slots=True)
class MatchSeen:
    """A match of a table."""

    pk: int
    title: str
    """The number of its encounter, from 1, and a letter for its rotation, such as "2a"."""
    state: Match.State
    points: tuple[float, ...]
    """The points of each entrant, in the order of the table; empty while the match has no result."""

    @property
    def is_under_way(self) -> bool:
        """Whether it is being played."""
        return self.state == Match.State.RUNNING


@dataclass(frozen=True, slots=True)
class SeatSeen:
    """An entrant's place at a table; without an entrant, one that earlier results will fill."""

    entrant: Entrant | None
    source: str = ""
    """Where the entrant will come from, such as "Winner of Semi-final 1"; empty if ``entrant`` is known."""
    short: str = ""
    """``source`` shortened for a bracket's narrow box; empty where a line of the bracket says it."""
    points: float | None = None
    games: float | None = None
    is_winner: bool = False
    """Whether it goes on, or won the table."""

    @property
    def name(self) -> str:
        """The bot's name; before it is known, words such as "winner of table 2"."""
        return self.entrant.bot.name if self.entrant else self.source

    @property
    def shown(self) -> float | None:
        """The points to show where there is room for one number: ``games`` if matches were played, else ``points``."""
        return self.points if self.games is None else self.games


@dataclass(frozen=True, slots=True)
class PairingSeen:
    """A table of a drawn round, or of one that follows from it."""

    stage: int
    """The number of its stage, from 0."""
    round: int
    """The number of its round within the stage, from 1."""
    number: int
    """Its own number within the round, from 1."""
    group: str
    sources: tuple[tuple[int, int] | None, ...]
    title: str
    seats: list[SeatSeen]
    outcome: str = ""
    """How it was decided (``Table.outcome``); empty while it is open, hidden, or not drawn."""
    reason: str = ""
    index: int = 1
    """Its number within its group of the round, from 1."""
    is_drawn: bool = True
    is_told: bool = True
    matches: list[MatchSeen] = field(default_factory=list)

    @property
    def is_bye(self) -> bool:
        """Whether it has one entrant only."""
        return len(self.seats) == 1

    @property
    def has_games(self) -> bool:
        """Whether points of its matches are known."""
        return any(seat.games is not None for seat in self.seats)

    @property
    def live(self) -> list[MatchSeen]:
        """The matches that are being played."""
        return [match for match in self.matches if match.is_under_way]

    @property
    def done(self) -> int:
        """How many of its matches have a result."""
        return sum(bool(match.points) for match in self.matches)

    @property
    def is_tied(self) -> bool:
        """Whether all of its entrants have equal points."""
        return len({seat.points for seat in self.seats}) == 1

    @property
    def winner(self) -> str:
        """The name of the entrant that goes on, or won alone; empty if there is none."""
        winners = [seat.name for seat in self.seats if seat.is_winner]
        return winners[0] if len(winners) == 1 else ""

    @property
    def sentence(self) -> str:
        """The table in one sentence, for screen readers: "Semi-final 1: rings 3, greedy 1, rings goes on"."""
        if self.is_bye:
            return _("%(table)s: %(name)s has a bye") % {"table": self.title, "name": self.seats[0].name}
        parts = [seat.name if seat.shown is None else f"{seat.name} {points_words(seat.shown)}" for seat in self.seats]
        words = ", ".join([*parts, *([self._ending] if self._ending else [])])
        return f"{self.title}: {words}"

    @property
    def _ending(self) -> str:
        if not self.is_told:
            return _("the result is hidden")
        if not self.outcome:
            return _("not decided") if self.is_drawn else ""
        return _("%(name)s goes on") % {"name": self.winner} if self.winner else _("a draw")


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """A drawn round."""

    row: Round
    stage: Stage
    title: str
    """The name of the round within its stage, such as "Semi-finals" or "Round 3"."""
    is_told: bool
    tables: list[PairingSeen]

    @property
    def stage_number(self) -> int:
        """The number of its stage in urls, from 1."""
        return self.row.stage + 1

    @property
    def stage_title(self) -> str:
        """The name of its stage."""
        return titles.stage_title(self.stage)

    @property
    def is_knockout(self) -> bool:
        """Whether winners of its tables go on."""
        return self.stage.format in KNOCKOUTS

    @property
    def parts(self) -> list[tuple[str, list[PairingSeen]]]:
        """Its tables by group, each with the group's name."""
        groups: dict[str, list[PairingSeen]] = defaultdict(list)
        for table in self.tables:
            groups[table.group].append(table)
        part_title = partial(titles.part_title, stage=self.stage, number=self.row.number)
        return [(part_title(group=group, tables=len(own)), own) for group, own in groups.items()]

    @property
    def decided(self) -> int:
        """How many tables are decided, as far as the reader may know."""
        return sum(bool(table.outcome) for table in self.tables)

    @property
    def live(self) -> list[PairingSeen]:
        """The tables of which a match is being played."""
        return [table for table in self.tables if table.live]


def round_seen(*, told: Told, stage: int, number: int, with_matches: bool = True) -> RoundSeen | None:
    """Return a round as the reader may know it, or None if there is none or its pairing is not known yet.

    ``stage`` counts from 0, ``number`` is the round's, from 1. 2 queries for the matches; none without them, or if the
    results of the round are hidden.
    """
    found = next((each for each in told.rounds if (each.row.stage, each.row.number) == (stage, number)), None)
    return None if found is None else round_of(told=told, found=found, with_matches=with_matches)


def current_round(*, told: Told) -> RoundSeen | None:
    """Return the last round of which the reader knows the pairing, with its matches, or None before the draw."""
    return round_of(told=told, found=told.rounds[-1], with_matches=True) if told.rounds else None


def rounds_seen(*, told: Told) -> list[RoundSeen]:
    """Return all rounds of which the reader may know the pairing, without their matches (no query)."""
    return [round_of(told=told, found=each) for each in told.rounds]


def hidden_sentence(*, told: Told) -> str:
    """Return a sentence that says which results are hidden, or are hidden from others; empty if none is."""
    tournament = told.tournament
    if not tournament.is_hidden or not told.rounds:
        return ""
    unreleased = [each for each in told.rounds if each.row.released_at is None]
    if not unreleased:
        return ""
    if told.knows_all:
        return _("You see all results. Others do not see those of %(round)s yet: you have to release them.") % {
            "round": _round_named(told, unreleased[0].row)
        }
    if tournament.results == tournament.Results.AT_END:
        return _("All results are hidden until the organisers release them at the end.")
    return _("The results of %(round)s are hidden until the organisers release them.") % {
        "round": _round_named(told, unreleased[-1].row)
    }


def _round_named(told: Told, row: Round) -> str:
    if len(told.stages) == 1:
        return _("round %(number)d") % {"number": row.number}
    return _("round %(number)d of stage %(stage)d") % {"number": row.number, "stage": row.stage + 1}


def round_of(*, told: Told, found: RoundTold, with_matches: bool = False) -> RoundSeen:
    """Return ``found``, one of ``told.rounds``, as pages show it (no query; 2 with the matches of a told round)."""
    row, stage = found.row, told.stages[found.row.stage]
    matches = _matches(found) if with_matches and found.is_told else {}
    return RoundSeen(row, stage, _round_title(stage, found), found.is_told, tables_of(told, found, matches))


def _round_title(stage: Stage, found: RoundTold) -> str:
    """Return the title of a round: in single elimination a name such as "Semi-finals", else "Round 3"."""
    counts = Counter(table.group for table in found.tables)
    if stage.format not in KNOCKOUTS or "losers" in counts or "winners" in counts:
        return titles.round_title(found.row.number)
    group = min(counts)  # "" before "third"
    return titles.part_title(stage=stage, group=group, number=found.row.number, tables=counts[group])


def tables_of(told: Told, found: RoundTold, matches: Mapping[int, list[MatchSeen]] | None = None) -> list[PairingSeen]:
    """Return the tables of a round as pages show them; ``matches`` has their matches by primary key of the table."""
    stage, matches = told.stages[found.row.stage], matches or {}
    names = PairingNames(stage, found.row.number, [table.group for table in found.tables])
    seen = []
    for table in found.tables:
        seats = [_seat(told, stage, table, index) for index in range(len(table.seats.all()))]
        title, place = names.next(table.group)
        seen.append(
            PairingSeen(
                stage=found.row.stage,
                round=found.row.number,
                number=table.number,
                group=table.group,
                sources=tuple(tuple(source) if source else None for source in table.sources),
                title=title,
                seats=seats,
                outcome=table.outcome,
                reason=table.reason,
                index=place,
                is_told=found.is_told,
                matches=matches.get(table.pk, []),
            )
        )
    return seen


class PairingNames:
    """Names the tables of a round in their order."""

    def __init__(self, stage: Stage, number: int, groups: Sequence[str]) -> None:
        """Remember the round: its stage, its number, and the group of each of its tables."""
        self._stage, self._number, self._tables = stage, number, Counter(groups)
        self._named: Counter[str] = Counter()

    def next(self, group: str) -> tuple[str, int]:
        """Return the name of the next table of a group, and its number within the group."""
        self._named[group] += 1
        title = titles.table_title(
            stage=self._stage,
            group=group,
            number=self._number,
            tables=self._tables[group],
            index=self._named[group],
        )
        return title, self._named[group]


def _seat(told: Told, stage: Stage, table: Table, index: int) -> SeatSeen:
    seats = table.seats.all()
    seat, number = seats[index], seats[index].entrant.number or 0
    best = max((each.points or 0.0 for each in seats), default=0.0)
    is_best = seat.points == best and sum(each.points == best for each in seats) == 1
    is_winner = table.winner == number if stage.format in KNOCKOUTS else is_best
    return SeatSeen(
        told.rows[number],
        points=seat.points,
        games=seat.games if table.matches_counted else None,
        is_winner=bool(table.outcome) and is_winner,
    )


def _matches(found: RoundTold) -> dict[int, list[MatchSeen]]:
    """Return the last attempt at each match of a round, by primary key of the table (2 queries)."""
    played = TableMatch.objects.filter(table__round=found.row.pk).select_related("match").order_by("attempt")
    places = {
        (table.pk, seat.entrant.version_id): place
        for table in found.tables
        for place, seat in enumerate(table.seats.all())
    }
    last: dict[tuple[int, int, int], TableMatch] = {}
    for each in played.prefetch_related("match__seats"):
        last[each.table_id, each.encounter, each.rotation] = each
    seen: dict[int, list[MatchSeen]] = defaultdict(list)
    for (table, encounter, rotation), each in sorted(last.items()):
        title = f"{encounter + 1}{LETTERS[rotation]}"
        state = Match.State(each.match.state)
        seen[table].append(MatchSeen(each.match_id, title, state, _points(table, each.match, places)))
    return seen


def _points(table: int, match: Match, places: Mapping[tuple[int, int], int]) -> tuple[float, ...]:
    if match.state != Match.State.FINISHED:
        return ()
    seats = sorted(match.seats.all(), key=lambda seat: places[table, seat.version_id])
    return points_of([-(seat.rank or 0) for seat in seats])


@dataclass(frozen=True, slots=True)
class StageSeen:
    """A stage in words, with its drawn rounds."""

    number: int
    """The number of the stage, from 1, as in urls."""
    title: str
    sentences: list[str]
    rounds: list[RoundSeen]


def rounds_by_stage(*, told: Told) -> list[StageSeen]:
    """Return all stages of a tournament in words, each with the rounds of which the reader knows the pairing."""
    rounds = rounds_seen(told=told)
    return [
        StageSeen(
            number,
            titles.stage_title(stage),
            titles.stage_sentences(stage),
            [each for each in rounds if each.stage_number == number],
        )
        for number, stage in enumerate(told.stages, 1)
    ]
