"""The course of a tournament at home: which matches are missing, and the rounds so far.

All follows from the tournament's plan and the results of its matches, by the functions of the arena (``formats``). So a
tournament whose results were kept goes on where it was, and comes to the same tables as one that was never interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from formats.model import Decided, Draw, Entrant, Stage, Table
from formats.rounds import next_round
from formats.seeds import encounter_seed
from formats.tables import table_decide
from rating.matchmaking import rotations


@dataclass(frozen=True, slots=True)
class Plan:
    """What a tournament is."""

    stages: tuple[Stage, ...]
    entrants: tuple[Entrant, ...]
    lots: int
    """Decides the boards, and what a format leaves to the lot."""
    sizes: tuple[int, ...]
    """The table sizes that the game can play."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of a tournament."""

    table: Table
    encounter: int
    """From 1 at its table."""
    rotation: int
    """By how many places the entrants have moved from their seats in the first match of the encounter."""
    seed: int
    seats: tuple[int, ...]
    """Seed numbers of the entrants by seat."""

    @property
    def number(self) -> int:
        """The number of the match at its table, from 1."""
        return (self.encounter - 1) * len(self.seats) + self.rotation + 1


@dataclass(slots=True)
class _OpenTable:
    """A table of the round that is played."""

    table: Table
    encounters: list[list[tuple[int, ...] | None]] = field(default_factory=list)
    """As ``table_decide`` takes them."""
    decided: Decided | None = None


class Course:
    """Where a tournament stands.

    Args:
        plan: what the tournament is; its stages have no faults (``formats.stages.stages_faults``).
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rounds: list[tuple[Draw, list[Decided]]] = []
        """The rounds that have ended, each with its tables by number."""
        self.draw: Draw | None = None
        """The round that is played; None: the tournament has ended."""
        self._open: dict[int, _OpenTable] = {}
        self._wanted: list[Fixture] = []
        self._begin_round()

    @property
    def decided(self) -> list[Decided]:
        """All tables that are decided, those of the round that is played included."""
        ended = [table for _, tables in self.rounds for table in tables]
        return ended + [each.decided for each in self._open.values() if each.decided]

    def take(self) -> list[Fixture]:
        """Return the matches that have to be played, each of them once; more follow from their results."""
        wanted, self._wanted = self._wanted, []
        return wanted

    def record(self, fixture: Fixture, ranks: tuple[int, ...]) -> None:
        """Add the result of a match: ranks by seat. The last of a round makes the next one.

        Results of matches that decide nothing any more are left out.
        """
        table = self._open.get(fixture.table.number)
        if table is None or table.table != fixture.table or table.decided:
            return
        count = len(ranks)
        in_order = tuple(ranks[(number - fixture.rotation) % count] for number in range(count))
        table.encounters[fixture.encounter - 1][fixture.rotation] = in_order
        self._decide(table)
        self._end_round()

    def _begin_round(self) -> None:
        done = [table for _, tables in self.rounds for table in tables]
        plan = self.plan
        self.draw = next_round(
            stages=plan.stages, entrants=plan.entrants, decided=done, lots=plan.lots, sizes=plan.sizes
        )
        self._open = {table.number: _OpenTable(table) for table in self.draw.tables} if self.draw else {}
        for table in self._open.values():
            self._decide(table)
        self._end_round()

    def _end_round(self) -> None:
        decided = [table.decided for table in self._open.values() if table.decided]
        if self.draw and len(decided) == len(self._open):
            self.rounds.append((self.draw, decided))
            self._begin_round()

    def _decide(self, table: _OpenTable) -> None:
        """Decide a table, or want the matches that it lacks."""
        stage = self.plan.stages[table.table.stage]
        found = table_decide(stage=stage, table=table.table, entrants=self.plan.entrants, encounters=table.encounters)
        if isinstance(found, Decided):
            table.decided = found
            return
        for encounter in range(len(table.encounters) + 1, found + 1):
            table.encounters.append([None] * len(table.table.entrants))
            self._wanted += self._fixtures(table.table, encounter)

    def _fixtures(self, table: Table, encounter: int) -> list[Fixture]:
        seed = encounter_seed(
            lots=self.plan.lots, stage=table.stage, round_=table.round, table=table.number, encounter=encounter
        )
        return [
            Fixture(table, encounter, rotation, seed, seats) for rotation, seats in enumerate(rotations(table.entrants))
        ]
