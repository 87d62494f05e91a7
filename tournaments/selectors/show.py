"""Reads a tournament for the show in a hall: one step after another, and what has been shown up to each of them.

The tables of a step's page come from ``told_until``: a tournament as it was known when the step's table was decided. So
the bracket and the standings of a step cannot tell what later steps show.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from django.utils.translation import gettext as _

from accounts.access import Reader
from contests.selectors.people import organises
from formats.model import DUEL, KNOCKOUTS, Outcome
from ladder.selectors.honours import HONOURED_MAX
from matches.models import Match
from tournaments.models import TableMatch, Tournament
from tournaments.selectors.brackets import Bracket, Column, Part, brackets_of
from tournaments.selectors.loading import RoundTold, Told, told_until, tournament_told
from tournaments.selectors.pages import MatchSeen, PairingSeen, RoundSeen, SeatSeen, round_of
from tournaments.selectors.standings import PlaceRow, StageTable, places_of, stage_table
from tournaments.titles import stage_title

State = Tournament.State
THIRD = "third"
"""The group of the match for the third place (``formats.model.Pairing.group``)."""
COLUMNS_MAX = 4
"""How many rounds of a bracket are shown at once: more would make names too small for a hall."""


class StepKind(StrEnum):
    """What a step shows."""

    OPENING = "opening"
    """The tournament and its entrants."""
    ROUND = "round"
    """Who meets whom in a round."""
    MATCH = "match"
    """A match of a table in the viewer."""
    RESULT = "result"
    """How the table was decided, and the bracket or the standings with it."""
    STANDINGS = "standings"
    """The standings after a round."""
    PODIUM = "podium"
    """Which entrants came to the step's place and to the places after it."""
    MORE = "more"
    """A note that the next round is still being played."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the show."""

    kind: StepKind
    stage: int = 0
    """The number of its stage, from 0; 0 also for steps that belong to no round."""
    round: int = 0
    """The number of its round within the stage, from 1; 0 for steps that belong to no round."""
    table: int = 0
    """The number of its table within the round, from 1; 0 for steps that belong to no table."""
    match: int | None = None
    """Primary key of the match that it shows; None for steps of other kinds."""
    is_extra: bool = False
    """Whether it shows a match that is left out unless the show is to have all matches."""
    place: int = 0
    """The best place that a step of the podium shows, from 1; 0 for steps of other kinds."""
    releases: bool = False
    """Whether this step completes its round, or as the first place the tournament, so that results may be released."""


@dataclass(frozen=True)
class Show:
    """A tournament that can be shown in a hall."""

    told: Told
    matches: dict[tuple[int, int, int], list[int]]
    """Primary keys of the finished matches in their order, by stage (from 0), round and number of the table."""

    @cached_property
    def steps(self) -> list[Step]:
        """All steps, in their order."""
        return list(_steps(self))


def may_show(*, tournament: Tournament, reader: Reader) -> bool:
    """Return whether a reader may open the show (at most 2 queries): organisers and administrators once it is drawn.

    Everybody may after the release.
    """
    if tournament.state == State.RELEASED:
        return True
    return tournament.is_drawn and organises(reader=reader, contest=tournament.contest_id)


def show_of(*, tournament: Tournament, reader: Reader) -> Show:
    """Return the show of a tournament for a reader for whom ``may_show`` is true (7 queries at most)."""
    told = tournament_told(tournament=tournament, reader=reader)
    played = TableMatch.objects.filter(table__round__tournament=tournament, match__state=Match.State.FINISHED)
    places = ("table__round__stage", "table__round__number", "table__number")
    rows = played.order_by("encounter", "rotation", "attempt").values_list(*places, "match")
    matches: dict[tuple[int, int, int], list[int]] = {}
    for stage, number, table, match in rows:
        matches.setdefault((stage, number, table), []).append(match)
    return Show(told, matches)


def match_is_played_in(*, tournament: Tournament, match: int) -> bool:
    """Return whether a match was played at a table of a tournament (1 query)."""
    return TableMatch.objects.filter(
        table__round__tournament=tournament, match__in=Match.objects.filter(pk=match)
    ).exists()


def _steps(show: Show) -> Iterator[Step]:
    told = show.told
    yield Step(StepKind.OPENING)
    for each in told.rounds:
        if each.row.finished_at is None or not each.is_told:
            yield Step(StepKind.MORE)
            return
        yield from _round_steps(show, each)
    if told.tournament.state not in (State.FINISHED, State.RELEASED):
        yield Step(StepKind.MORE)
        return
    reached = {row.place for row in places_of(told=told)}
    for place in range(HONOURED_MAX, 0, -1):
        if place in reached:
            yield Step(StepKind.PODIUM, place=place, releases=place == 1)


def _round_steps(show: Show, found: RoundTold) -> Iterator[Step]:
    stage, number = found.row.stage, found.row.number
    is_knockout = show.told.stages[stage].format in KNOCKOUTS
    yield Step(StepKind.ROUND, stage, number)
    met = [table for table in found.tables if table.outcome != Outcome.BYE]
    met.sort(key=lambda table: (table.group != THIRD, table.number))  # the final comes last
    for table in met:
        played = show.matches.get((stage, number, table.number), [])
        counted = played[: table.matches_counted] or played
        for match in counted:
            yield Step(StepKind.MATCH, stage, number, table.number, match, is_extra=match != counted[-1])
        last = is_knockout and table is met[-1]
        yield Step(StepKind.RESULT, stage, number, table.number, releases=last)
    if not is_knockout:
        yield Step(StepKind.STANDINGS, stage, number, releases=True)


# --- What a step shows ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scene:
    """What the page of a step needs. It tells nothing that only a later step shows."""

    step: Step
    told: Told
    round: RoundSeen | None = None
    table: PairingSeen | None = None
    match: MatchSeen | None = None
    before: tuple[float, ...] = ()
    """Points of the table's entrants before the match."""
    is_last: bool = False
    """Whether the table is the last one of the tournament."""
    bracket: Bracket | None = None
    standings: StageTable | None = None
    podium: tuple[tuple[int, list[PlaceRow]], ...] = ()
    """The first three places with who is on them, by place; empty lists for those that are not shown yet."""
    places: tuple[PlaceRow, ...] = ()
    """All places, once the first one is shown."""

    @property
    def stage_title(self) -> str:
        """The name of the round's stage."""
        return stage_title(self.round.stage) if self.round else ""

    @property
    def where(self) -> str:
        """Stage, round and table of the step, as far as it has them."""
        if self.round is None:
            return ""
        stage = _("Stage %(number)d") % {"number": self.round.stage_number} if len(self.told.stages) > 1 else ""
        # The name of a knockout's table says which round it is of.
        is_named = self.table is not None and self.round.stage.format in KNOCKOUTS
        parts = [stage, "" if is_named else self.round.title, self.table.title if self.table else ""]
        return " · ".join(part for part in parts if part)

    @property
    def score(self) -> list[SeatSeen]:
        """The seats of the table: two in their order, more by their points, the best first; [] without a table."""
        seats = self.table.seats if self.table else []
        return seats if len(seats) <= DUEL else sorted(seats, key=lambda seat: -(seat.shown or 0.0))

    @property
    def ending(self) -> str:
        """What the table's winner has won, in a sentence; empty where points alone count."""
        if self.table is None or self.bracket is None or not self.table.winner:
            return ""
        if self.table.group == THIRD:
            sentence = _("%(name)s comes third.")
        elif self.is_last:
            sentence = _("%(name)s wins the tournament.")
        elif self.table.is_tied:
            sentence = _("Equal also after further encounters: %(name)s goes on by its better seed number.")
        else:
            sentence = _("%(name)s goes on.")
        return sentence % {"name": self.table.winner}

    @property
    def byes(self) -> list[str]:
        """The names of the bots that have a bye in the round."""
        return [table.seats[0].name for table in self.round.tables if table.is_bye] if self.round else []

    @property
    def score_before(self) -> list[tuple[str, float]]:
        """Names and points of the table's entrants before the match; empty for its first match."""
        return (
            list(zip([seat.name for seat in self.table.seats], self.before, strict=True))
            if self.table and self.before
            else []
        )


def scene_of(*, show: Show, number: int) -> Scene | None:
    """Return what a step shows, or None if there is no step of this number, from 0 (2 queries at most)."""
    if number >= len(show.steps):
        return None
    step = show.steps[number]
    if step.kind == StepKind.PODIUM:
        return _podium_scene(show, step)
    if not step.round:
        return Scene(step, show.told)
    shown = _shown(show, number)
    told = told_until(told=show.told, stage=step.stage, number=step.round, tables=shown)
    found = told.rounds[-1]
    seen = round_of(told=told, found=found, with_matches=step.kind == StepKind.MATCH)
    table = next((each for each in seen.tables if each.number == step.table), None)
    if step.kind == StepKind.MATCH:
        return _match_scene(step, told, seen, table)
    is_knockout = seen.stage.format in KNOCKOUTS
    return Scene(
        step,
        told,
        seen,
        table,
        is_last=all(later.kind == StepKind.PODIUM for later in show.steps[number + 1 :]),
        bracket=_bracket_from(told, step) if is_knockout else None,
        standings=None if is_knockout or step.kind == StepKind.ROUND else stage_table(told=told, number=step.stage),
    )


def _shown(show: Show, number: int) -> set[int]:
    """Return the numbers of the tables of a step's round whose results are shown up to it; byes are no secret."""
    step = show.steps[number]
    here = [each for each in show.steps[: number + 1] if (each.stage, each.round) == (step.stage, step.round)]
    found = next(each for each in show.told.rounds if (each.row.stage, each.row.number) == (step.stage, step.round))
    byes = {table.number for table in found.tables if table.outcome == Outcome.BYE}
    return byes | {each.table for each in here if each.kind == StepKind.RESULT}


def _match_scene(step: Step, told: Told, seen: RoundSeen, table: PairingSeen | None) -> Scene:
    played = [match for match in table.matches if match.points] if table else []
    match = next((each for each in played if each.pk == step.match), None)
    earlier = [each.points for each in played[: played.index(match)]] if match else []
    before = tuple(sum(points) for points in zip(*earlier, strict=True))
    return Scene(step, told, seen, table, match, before)


def _podium_scene(show: Show, step: Step) -> Scene:
    places = places_of(told=show.told)
    podium = tuple(
        (place, [row for row in places if row.place == place] if place >= step.place else [])
        for place in range(1, HONOURED_MAX + 1)
    )
    return Scene(step, show.told, podium=podium, places=tuple(places) if step.place == 1 else ())


def _bracket_from(told: Told, step: Step) -> Bracket | None:
    """Return the part of the bracket that the step's table stands in, from its round on; None if it is not drawn there.

    A hall reads few large names, not many small ones.
    """
    whole = next((each for each in brackets_of(told=told, whole=True) if each.stage == step.stage + 1), None)
    if whole is None:
        return None
    parts = [_part_from(part, step) for part in whole.parts if _has(part.columns, step)]
    return Bracket(whole.stage, whole.title, parts) if parts else None


def _has(columns: list[Column], step: Step) -> bool:
    tables = [cell.table for column in columns for cell in column.cells if cell.table]
    return any(each.round == step.round and step.table in (0, each.number) for each in tables)


def _part_from(part: Part, step: Step) -> Part:
    here = next(at for at, column in enumerate(part.columns) if _last_round(column) >= step.round)
    first = max(0, min(here, len(part.columns) - 2))  # one column alone would be no bracket
    columns = part.columns[first : first + COLUMNS_MAX]
    # No line leads into the first column, and none out of the last one.
    columns[0] = Column(columns[0].title, [replace(cell, has_in=False) for cell in columns[0].cells])
    columns[-1] = Column(columns[-1].title, [replace(cell, joint="") for cell in columns[-1].cells])
    return Part(part.title, columns, part.left_out + first)


def _last_round(column: Column) -> int:
    return max((cell.table.round for cell in column.cells if cell.table), default=0)
