"""The course of a tournament at home: which matches are missing, and the rounds so far.

All follows from the tournament's plan and the results of its matches, by the functions of the arena (``formats``). So a
tournament whose results were kept goes on where it was, and comes to the same tables as one that was never interrupted.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from formats.model import Decided, Draw, Entrant, Pairing, Stage
from formats.pairings import pairing_decide
from formats.rounds import next_round
from formats.seeds import encounter_seed
from rating.matchmaking import rotations


@dataclass(frozen=True, slots=True)
class Plan:
    """What is fixed of a tournament before its first match."""

    stages: tuple[Stage, ...]
    entrants: tuple[Entrant, ...]
    lots: int
    """A number that decides the boards, and what a format leaves to the lot."""
    sizes: tuple[int, ...]
    """The table sizes that the game can play."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match of a tournament."""

    pairing: Pairing
    encounter: int
    """The number of the encounter in its pairing, from 1."""
    rotation: int
    """By how many places the entrants have moved from their seats in the first match of the encounter."""
    seed: int
    seats: tuple[int, ...]
    """Seed numbers of the entrants by seat."""

    @property
    def number(self) -> int:
        """The number of the match of its pairing, from 1."""
        return (self.encounter - 1) * len(self.seats) + self.rotation + 1


@dataclass(slots=True)
class _OpenPairing:
    """A pairing of the round that is played."""

    pairing: Pairing
    encounters: list[list[tuple[int, ...] | None]] = field(default_factory=list)
    """The encounters made so far, as ``formats.pairings.pairing_decide`` takes them."""
    decided: Decided | None = None


class Course:
    """The state of a tournament that is played: the rounds so far, and the matches that are still to be played.

    The stages of its plan must have no faults (``formats.stages.stages_faults``).
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rounds: list[tuple[Draw, list[Decided]]] = []
        """The rounds that have ended, each with its pairings by number."""
        self.draw: Draw | None = None
        """The round that is played; None: the tournament has ended."""
        self._open: dict[int, _OpenPairing] = {}
        self._wanted: list[Fixture] = []
        self._begin_round()

    @property
    def decided(self) -> list[Decided]:
        """All pairings that are decided, those of the round that is played included."""
        ended = [pairing for _, pairings in self.rounds for pairing in pairings]
        return ended + [each.decided for each in self._open.values() if each.decided]

    def take(self) -> list[Fixture]:
        """Return the matches that have to be played, each of them once; more follow from their results."""
        wanted, self._wanted = self._wanted, []
        return wanted

    def record(self, fixture: Fixture, ranks: tuple[int, ...]) -> None:
        """Add the result of a match, its ranks by seat. The last result of a round begins the next round.

        Results of matches that decide nothing any more are left out.
        """
        pairing = self._open.get(fixture.pairing.number)
        if pairing is None or pairing.pairing != fixture.pairing or pairing.decided:
            return
        count = len(ranks)
        in_order = tuple(ranks[(number - fixture.rotation) % count] for number in range(count))
        pairing.encounters[fixture.encounter - 1][fixture.rotation] = in_order
        self._decide(pairing)
        self._end_round()

    def _begin_round(self) -> None:
        done = [pairing for _, pairings in self.rounds for pairing in pairings]
        plan = self.plan
        self.draw = next_round(
            stages=plan.stages, entrants=plan.entrants, decided=done, lots=plan.lots, sizes=plan.sizes
        )
        self._open = {pairing.number: _OpenPairing(pairing) for pairing in self.draw.pairings} if self.draw else {}
        for pairing in self._open.values():
            self._decide(pairing)
        self._end_round()

    def _end_round(self) -> None:
        decided = [pairing.decided for pairing in self._open.values() if pairing.decided]
        if self.draw and len(decided) == len(self._open):
            self.rounds.append((self.draw, decided))
            self._begin_round()

    def _decide(self, pairing: _OpenPairing) -> None:
        """Decide a pairing, or note the matches that it lacks, so that ``take`` returns them."""
        stage = self.plan.stages[pairing.pairing.stage]
        found = pairing_decide(
            stage=stage, pairing=pairing.pairing, entrants=self.plan.entrants, encounters=pairing.encounters
        )
        if isinstance(found, Decided):
            pairing.decided = found
            return
        for encounter in range(len(pairing.encounters) + 1, found + 1):
            pairing.encounters.append([None] * len(pairing.pairing.entrants))
            self._wanted += self._fixtures(pairing.pairing, encounter)

    def _fixtures(self, pairing: Pairing, encounter: int) -> list[Fixture]:
        seed = encounter_seed(
            lots=self.plan.lots, stage=pairing.stage, round_=pairing.round, pairing=pairing.number, encounter=encounter
        )
        return [
            Fixture(pairing, encounter, rotation, seed, seats)
            for rotation, seats in enumerate(rotations(pairing.entrants))
        ]
