"""Standings, cross tables and the way of one bot, as the pages of a tournament show them. No queries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from formats.model import DUEL, KNOCKOUTS, Decided, Format, Outcome, Stage, Standing, TieBreak
from formats.standings import goes_on, groups_of, places, stage_entrants, standings, tie_breaks_of
from tournaments import titles
from tournaments.models import Entrant
from tournaments.selectors.loading import Told
from tournaments.selectors.pages import PairingSeen, RoundSeen, rounds_seen


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A row of a stage's table."""

    standing: Standing
    entrant: Entrant
    goes_on: bool
    """Whether the entrant goes on to the next stage if the standings stay as they are."""


@dataclass(frozen=True, slots=True)
class StageTable:
    """The standings of a stage."""

    stage: Stage
    number: int
    """The number of the stage, from 1, as in urls."""
    title: str
    tie_breaks: tuple[TieBreak, ...]
    groups: list[tuple[str, list[StandingRow]]]
    """Rows by group; one group with an empty name if there are no groups."""
    rounds: int
    """How many rounds with decided tables the standings count."""
    is_knockout: bool
    trf_groups: list[str]
    """The groups of which there is a TRF file."""


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """An entrant and its place in a tournament, from 1; entrants may share one."""

    place: int
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Meeting:
    """What an entrant got at one table, in a cell of a cross table."""

    points: float
    stage: int
    """The number of the stage, from 1, as in urls."""
    round: int
    number: int
    """The number of the table in its round."""
    opponents: tuple[Entrant, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A row of a cross table."""

    row: StandingRow
    cells: list[list[Meeting] | None]
    """For each column, the entrant's results there; None where the column is the entrant's own."""


@dataclass(frozen=True, slots=True)
class CrossTable:
    """A cross table. With ``by_rounds`` its columns are rounds, otherwise the opponents, named by their places."""

    title: str
    by_rounds: bool
    columns: list[str]
    rows: list[CrossRow]


@dataclass(frozen=True, slots=True)
class Step:
    """A table on a bot's way through a tournament."""

    round: RoundSeen
    table: PairingSeen
    place: int | None
    """Its place in the stage's table (of its group) after this round; None in knockouts, and while it is not told."""


def final_places(*, told: Told) -> list[PlaceRow]:
    """Return the final place of each entrant, best first; empty if the tournament is not over for the reader.

    For organisers and administrators it is over once it is finished, for others once it is released.
    """
    state = told.tournament.State
    over = told.tournament.state == state.RELEASED or (told.tournament.state == state.FINISHED and told.knows_all)
    return places_of(told=told) if over else []


def places_of(*, told: Told) -> list[PlaceRow]:
    """Return where each entrant has come so far, best first, by the results that the reader may know."""
    found = places(stages=told.stages, entrants=told.entrants, decided=told.decided)
    return [PlaceRow(each.place, told.rows[each.entrant]) for each in found]


def stage_tables(*, told: Told) -> list[StageTable]:
    """Return the standings of all drawn stages, the last stage first, by the results that the reader may know."""
    drawn = sorted({each.row.stage for each in told.rounds}, reverse=True)
    return [stage_table(told=told, number=number) for number in drawn]


def stage_table(*, told: Told, number: int) -> StageTable:
    """Return the standings of stage ``number`` (from 0), which has been drawn, by the results that are in ``told``."""
    stage = told.stages[number]
    groups: dict[str, list[StandingRow]] = defaultdict(list)
    on = goes_on(stages=told.stages, stage=number, entrants=told.entrants, decided=told.decided)
    for each in standings(stages=told.stages, stage=number, entrants=told.entrants, decided=told.decided):
        groups[each.group].append(StandingRow(each, told.rows[each.entrant], each.entrant in on))
    return StageTable(
        stage=stage,
        number=number + 1,
        title=titles.stage_title(stage),
        tie_breaks=tie_breaks_of(stage),
        groups=list(groups.items()),
        rounds=sum(bool(each.decided) for each in told.rounds if each.row.stage == number),
        is_knockout=stage.format in KNOCKOUTS,
        trf_groups=trf_groups(told=told, number=number),
    )


def trf_groups(*, told: Told, number: int) -> list[str]:
    """Return the names of the groups of a stage for which there is a TRF file; ``number`` is the stage, from 0.

    A stage without groups has one with an empty name. The list is empty for a stage that is not drawn, for a knockout,
    and for tables of more than two entrants: the format cannot hold them.
    """
    drawn = {each.row.stage for each in told.rounds}
    if number not in drawn or told.stages[number].format in KNOCKOUTS or told.stages[number].table_size != DUEL:
        return []
    numbers = stage_entrants(stages=told.stages, stage=number, entrants=told.entrants, decided=told.decided)
    return list(groups_of(stage=told.stages[number], numbers=numbers))


def cross_tables(*, told: Told) -> list[CrossTable]:
    """Return the cross tables of all drawn round robins and Swiss stages, the last stage first."""
    crossed = [table for table in stage_tables(told=told) if not table.is_knockout]
    return [_cross(told, table, name, rows) for table in crossed for name, rows in table.groups]


def _cross(told: Told, table: StageTable, name: str, rows: Sequence[StandingRow]) -> CrossTable:
    group = f"{table.title}: {titles.group_title(name)}" if name else table.title
    met: dict[int, list[Meeting]] = defaultdict(list)
    for decided in told.decided:
        if decided.pairing.stage == table.number - 1:
            for number, meeting in _meetings(told, decided):
                met[number].append(meeting)
    if table.stage.format == Format.ROUND_ROBIN and table.stage.table_size == DUEL:
        columns = [str(row.standing.place) for row in rows]
        crossed = [CrossRow(row, [_against(row, other, met) for other in rows]) for row in rows]
        return CrossTable(group, False, columns, crossed)
    drawn = [each.row.number for each in told.rounds if each.row.stage == table.number - 1]
    by_round = [
        CrossRow(row, [[one for one in met[row.standing.entrant] if one.round == number] for number in drawn])
        for row in rows
    ]
    return CrossTable(group, True, [str(number) for number in drawn], by_round)


def _against(row: StandingRow, other: StandingRow, met: dict[int, list[Meeting]]) -> list[Meeting] | None:
    if row is other:
        return None
    return [one for one in met[row.standing.entrant] if other.entrant in one.opponents]


def _meetings(told: Told, decided: Decided) -> list[tuple[int, Meeting]]:
    table = decided.pairing
    return [
        (
            number,
            Meeting(
                points,
                table.stage + 1,
                table.round,
                table.number,
                tuple(told.rows[other] for other in table.entrants if other != number),
                "" if decided.outcome == Outcome.PLAYED else decided.outcome,
            ),
        )
        for number, points in zip(table.entrants, decided.points, strict=True)
    ]


def way_of(*, told: Told, entrant: Entrant) -> list[Step]:
    """Return the tables of an entrant in their order, as far as the reader may know them."""
    steps = []
    for seen in rounds_seen(told=told):
        for table in seen.tables:
            if any(seat.entrant == entrant for seat in table.seats):
                steps.append(Step(seen, table, _place_after(told, seen, entrant)))
    return steps


def _place_after(told: Told, seen: RoundSeen, entrant: Entrant) -> int | None:
    """Return an entrant's place in its stage after a round; None in a knockout, and if a table has no known result."""
    if seen.stage.format in KNOCKOUTS or seen.decided < len(seen.tables):
        return None
    stage = seen.row.stage
    until = [each for each in told.decided if (each.pairing.stage, each.pairing.round) <= (stage, seen.row.number)]
    rows = standings(stages=told.stages, stage=stage, entrants=told.entrants, decided=until)
    return next((row.place for row in rows if row.entrant == entrant.number), None)
