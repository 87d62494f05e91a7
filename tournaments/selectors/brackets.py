"""The brackets of knockouts, laid out in columns. No queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import gcd

from django.utils.translation import gettext as _

from contests.models import Contest
from formats.model import DUEL, KNOCKOUTS, Decided, Outcome, Pairing, Stage
from formats.rounds import next_round
from games.registry import game_names
from tournaments import titles
from tournaments.selectors.loading import Told
from tournaments.selectors.pages import PairingNames, PairingSeen, SeatSeen, tables_of
from tournaments.validation import sizes_of

COLUMN_MAX = 16
"""A part of a bracket begins with its first column of at most so many tables, unless the reader wants all of it."""
COLUMNS_NARROW = 5
"""How many columns fit into the width of a page's text."""
WINNERS_SIDE = ("winners", "final", "reset")

Key = tuple[int, int]
"""A table of a stage: the number of its round, and its number within the round."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in a column: a table, a line that passes through (``is_line``), or nothing."""

    table: PairingSeen | None
    weight: int
    """Its share of the column's height: heights of the cells of a column are in proportion to their weights."""
    joint: str = ""
    """How its line joins those of its neighbours on the way to the next column: ``only``, ``first``, ``middle``,
    ``last``; empty: no line leads on."""
    has_in: bool = False
    """Whether a line leads to it from the column before."""
    is_line: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """A round of a part of the bracket."""

    title: str
    cells: list[Cell]

    @property
    def tables(self) -> int:
        """How many tables it has."""
        return sum(cell.table is not None for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bracket whose tables are joined by lines."""

    title: str
    """Empty if the bracket has but one part."""
    columns: list[Column]
    left_out: int = 0
    """How many rounds before its first column are not shown."""

    @property
    def seats(self) -> int:
        """How many entrants its largest tables have."""
        tables = [cell.table for column in self.columns for cell in column.cells if cell.table]
        return max(len(table.seats) for table in tables)

    @property
    def is_wide(self) -> bool:
        """Whether it has more columns than the width of a page's text takes."""
        return len(self.columns) > COLUMNS_NARROW


@dataclass(frozen=True, slots=True)
class Bracket:
    """The bracket of a stage."""

    stage: int
    """Number of the stage in urls, from 1."""
    title: str
    parts: list[Part]

    @property
    def has_arrows(self) -> bool:
        """Whether short forms such as "↓ W3·2" say where losers come down to."""
        cells = [cell for part in self.parts for column in part.columns for cell in column.cells]
        return any(seat.short.startswith("↓") for cell in cells if cell.table for seat in cell.table.seats)

    @property
    def is_cut(self) -> bool:
        """Whether its first rounds are not shown."""
        return any(part.left_out for part in self.parts)


def brackets_of(*, told: Told, whole: bool = False) -> list[Bracket]:
    """Return the brackets of all knockout stages that have been drawn, with the tables that are still to come.

    Unless ``whole``, each part begins with its first round of at most ``COLUMN_MAX`` tables.
    """
    drawn = sorted({each.row.stage for each in told.rounds})
    return [_bracket(told, number, whole=whole) for number in drawn if told.stages[number].format in KNOCKOUTS]


def _bracket(told: Told, number: int, *, whole: bool) -> Bracket:
    stage = told.stages[number]
    tables = [table for found in told.rounds if found.row.stage == number for table in tables_of(told, found)]
    tables += _coming(told, number, tables)
    sides: list[tuple[str, list[PairingSeen]]] = [
        ("", [table for table in tables if table.group == ""]),
        (_("Winners' bracket"), [table for table in tables if table.group in WINNERS_SIDE]),
        (_("Losers' bracket"), [table for table in tables if table.group == "losers"]),
        (_("Match for the third place"), [table for table in tables if table.group == "third"]),
    ]
    parts = [_part(stage, title, own, whole=whole) for title, own in sides if own]
    return Bracket(number + 1, titles.stage_title(stage), parts)


# --- Tables that are still to come --------------------------------------------------------------------------------


def _coming(told: Told, number: int, drawn: Sequence[PairingSeen]) -> list[PairingSeen]:
    """Return the tables of stage ``number`` (from 0) that are not drawn yet; ``drawn`` has those that are.

    ``next_round`` makes them as if the first entrant won each undecided table, but a seat names an entrant only if
    decided tables already say who it is.
    """
    decided, stage = told.decided, told.stages[number]
    last = told.rounds[-1]
    if last.row.stage != number:
        return []
    known = {(each.pairing.round, each.pairing.number): each for each in decided if each.pairing.stage == number}
    done = {each.pairing.number for each in last.decided}
    open_ = [
        Pairing(number, table.round, table.number, _numbers(table), table.group, table.sources)
        for table in drawn
        if table.round == last.row.number and table.number not in done
    ]
    supposed = [*decided, *map(_supposed, open_)]
    seen = {(table.round, table.number): table for table in drawn}
    coming: list[PairingSeen] = []
    stages, sizes = told.stages[: number + 1], _sizes(told.tournament.contest)
    while draw := next_round(stages=stages, entrants=told.entrants, decided=supposed, lots=0, sizes=sizes):
        names = PairingNames(stage, draw.round, [table.group for table in draw.pairings])
        for table in draw.pairings:
            key = (table.round, table.number)
            seats = [_slot(told, table, at, known, seen) for at in range(len(table.entrants))]
            if len(seats) == 1 and seats[0].entrant:
                known[key] = _supposed(table)
            title, index = names.next(table.group)
            seen[key] = PairingSeen(
                *(number, table.round, table.number, table.group, table.sources, title, seats),
                index=index,
                is_drawn=False,
            )
            coming.append(seen[key])
        supposed += map(_supposed, draw.pairings)
    return coming


def _sizes(contest: Contest) -> tuple[int, ...]:
    """Return the table sizes that a contest's rules allow; two alone if its game is not installed any more."""
    return sizes_of(contest=contest) if contest.game in game_names() else (DUEL,)


def _numbers(table: PairingSeen) -> tuple[int, ...]:
    return tuple(seat.entrant.number or 0 for seat in table.seats if seat.entrant)


def _supposed(table: Pairing) -> Decided:
    """Return a table as if its first entrant had won it."""
    points = (1.0,) + (0.0,) * (len(table.entrants) - 1)
    outcome = Outcome.PLAYED if len(table.entrants) > 1 else Outcome.BYE
    return Decided(table, points=points, outcome=outcome, winner=table.entrants[0])


def _slot(
    told: Told, table: Pairing, at: int, known: Mapping[Key, Decided], seen: Mapping[Key, PairingSeen]
) -> SeatSeen:
    """Return seat ``at`` of a table to come: with its entrant if that is certain, else with words for its source.

    ``known`` has the decided tables of the stage, ``seen`` all tables before this one.
    """
    key = table.sources[at] if at < len(table.sources) else None
    if key is None or key in known:
        return SeatSeen(told.rows[table.entrants[at]])
    source = seen[key]
    loses = table.group == "third" or (table.group == "losers" and source.group == "winners")
    words = (_("Loser of %(table)s") if loses else _("Winner of %(table)s")) % {"table": source.title}
    if table.group == "third":
        return SeatSeen(None, source=words, short=words)
    if loses:
        return SeatSeen(None, source=words, short=f"↓ W{source.round // 2 + 1}·{source.index}")
    return SeatSeen(
        None, source=words, short=_("Losers' bracket") if source.group == "losers" and table.group == "final" else ""
    )


# --- Columns --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Layout:
    """Builds the columns of a part from its last tables down to its first ones."""

    tables: dict[Key, PairingSeen]
    rounds: list[int]
    """The rounds in which the part has tables, ascending: its columns."""
    columns: list[list[Cell]] = field(default_factory=list)

    def build(self) -> list[list[Cell]]:
        """Return the cells of each column, from top to bottom."""
        self.columns = [[] for _ in self.rounds]
        fed = {source for key in self.tables for source in self._children(key)}
        for key in self.tables:
            if key not in fed:
                column = self.rounds.index(key[0])
                weight = self._place(key, "")
                for later in self.columns[column + 1 :]:
                    later.append(Cell(None, weight))
        return self.columns

    def _children(self, key: Key) -> list[Key]:
        sources = dict.fromkeys(source for source in self.tables[key].sources if source in self.tables)
        return [source for source in sources if source is not None]

    def _place(self, key: Key, joint: str) -> int:
        """Put a table and all that leads to it into the columns; return its weight: how many tables it begins with.

        ``joint`` is what ``Cell.joint`` of the table is to be.
        """
        column, children = self.rounds.index(key[0]), self._children(key)
        weight = 0
        for at, child in enumerate(children):
            nearest = column - 1 == self.rounds.index(child[0])
            own = _joint(at, len(children))
            share = self._place(child, own if nearest else "only")
            between = range(self.rounds.index(child[0]) + 1, column)
            for step in between:
                last = step == column - 1
                self.columns[step].append(Cell(None, share, own if last else "only", has_in=True, is_line=True))
            weight += share
        if not children:
            weight = 1
            for earlier in self.columns[:column]:
                earlier.append(Cell(None, 1))
        self.columns[column].append(Cell(self.tables[key], weight, joint, has_in=bool(children)))
        return weight


def _joint(at: int, count: int) -> str:
    if count == 1:
        return "only"
    return "first" if at == 0 else "last" if at == count - 1 else "middle"


def _part(stage: Stage, title: str, tables: Sequence[PairingSeen], *, whole: bool) -> Part:
    by_round: dict[int, list[PairingSeen]] = defaultdict(list)
    for table in tables:
        by_round[table.round].append(table)
    rounds = sorted(by_round)
    cells = _Layout({(table.round, table.number): table for table in tables}, rounds).build()
    columns = [
        Column(_column_title(stage, round_, by_round[round_]), _lightened(own))
        for round_, own in zip(rounds, cells, strict=True)
    ]
    left_out = 0 if whole else next(at for at, column in enumerate(columns) if column.tables <= COLUMN_MAX)
    shown = columns[left_out:]
    if left_out:
        shown[0] = Column(shown[0].title, [replace(cell, has_in=False) for cell in shown[0].cells])
    return Part(title, shown, left_out)


def _column_title(stage: Stage, round_: int, tables: Sequence[PairingSeen]) -> str:
    return titles.part_title(stage=stage, group=tables[0].group, number=round_, tables=len(tables))


def _lightened(cells: list[Cell]) -> list[Cell]:
    """Return the cells of a column with the smallest whole weights that have the same proportions."""
    divisor = gcd(*(cell.weight for cell in cells))
    return [replace(cell, weight=cell.weight // divisor) for cell in cells]
