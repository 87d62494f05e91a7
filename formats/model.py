"""The types of tournaments: stages, entrants, pairings and results.

A tournament is a list of stages. A stage is a list of rounds, a round a list of pairings. In a pairing two to four
entrants play *encounters*: matches on one seed, each entrant on every seat once. Entrants are known by their seed
numbers, from 1 for the strongest; a bot's seed number never changes. Pages call a pairing its table.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from core.message import Message

DUEL = 2
"""Entrants in a pairing of double elimination, and the usual size in all formats."""
TABLE_MAX = 4
"""Most entrants in a pairing."""


class Format(StrEnum):
    """How a stage pairs its entrants."""

    ROUND_ROBIN = "round_robin"
    """Everybody meets everybody of the same group, once in each cycle (at larger tables: each combination meets)."""
    SWISS = "swiss"
    """A fixed number of rounds, in which entrants with about equal points meet, and no two of them twice."""
    SINGLE_ELIMINATION = "single_elimination"
    """The winner of a pairing goes on; the others are out."""
    DOUBLE_ELIMINATION = "double_elimination"
    """Who has lost twice is out."""


KNOCKOUTS = (Format.SINGLE_ELIMINATION, Format.DOUBLE_ELIMINATION)
"""The formats in which a pairing always has a winner."""


class TieBreak(StrEnum):
    """What decides between entrants with equal points, by its name in chess."""

    DIRECT_ENCOUNTER = "direct_encounter"
    """Points in the pairings that the tied entrants played among themselves."""
    BUCHHOLZ = "buchholz"
    """Sum of the points of all opponents."""
    MEDIAN_BUCHHOLZ = "median_buchholz"
    """Buchholz without the highest and the lowest of its summands."""
    SONNEBORN_BERGER = "sonneborn_berger"
    """Sum of the points of the opponents that were beaten, and half of those of the opponents with equal points."""
    WINS = "wins"
    """Pairings won on the board: neither byes nor forfeits."""
    GAME_DIFFERENCE = "game_difference"
    """Points of matches won minus points of matches lost."""


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One stage. ``stages.stages_faults`` finds what keeps it from being played.

    Fields that a format does not use keep their defaults. A tournament stores its stages as JSON of this form.
    """

    format: Format
    rounds: int = 0
    """Swiss: how many rounds."""
    groups: int = 1
    """Round robin: how many groups, into which entrants are dealt by seed number like a snake."""
    cycles: int = 1
    """Round robin: how often each two meet."""
    table_size: int = DUEL
    """How many entrants play in a pairing."""
    best_of: int = 1
    """How many encounters a pairing has. In knockouts a pairing ends once it is decided."""
    extra_max: int = 2
    """Knockouts: most further encounters when a pairing is tied; then the better seed number goes on."""
    third_place: bool = False
    """Single elimination with tables of two: whether the losers of the semi-finals play for the third place."""
    goes_on: int = 0
    """How many entrants play the next stage; 0 for the last stage."""
    tie_breaks: tuple[TieBreak, ...] = ()
    """What decides between equal points, in this order; empty: the usual ones of the format. Then the seed number."""


class Entrant(msgspec.Struct, frozen=True):
    """A bot in a tournament."""

    number: int
    """Its seed number, from 1 for the strongest."""
    name: str
    rating: float = 0.0
    """Its Elo when the seed numbers were given; written into TRF files, and used for nothing else."""
    left: tuple[int, int] | None = None
    """Stage and round from which on it plays no more, since it has withdrawn or was disqualified; None: it plays."""

    def plays(self, stage: int, round_: int) -> bool:
        """Return whether it still plays in a round of a stage."""
        return self.left is None or (stage, round_) < self.left


class Pairing(msgspec.Struct, frozen=True):
    """Entrants that meet in a round."""

    stage: int
    """The number of the stage, from 0."""
    round: int
    """The number of the round, from 1 within the stage."""
    number: int
    """The number of the pairing, from 1 within the round, through all groups."""
    entrants: tuple[int, ...]
    """Seed numbers; in the first match of each encounter they sit in this order. One alone has a bye."""
    group: str = ""
    """Round robin with groups: ``A``, ``B`` ..; double elimination: ``winners``, ``losers``, ``final``, ``reset``;
    single elimination: ``third`` for the match for the third place; else empty."""
    sources: tuple[tuple[int, int] | None, ...] = ()
    """Knockouts: from which earlier pairing (round, number) of this stage each entrant came; None: from the seeding.
    The lines of a bracket."""
    why: Message | None = None
    """Why these meet, for the organiser's preview of the draw."""


class Outcome(StrEnum):
    """How a pairing was decided."""

    PLAYED = "played"
    """Its matches decided it."""
    BYE = "bye"
    """It has one entrant, who gets the points of a win."""
    FORFEIT = "forfeit"
    """Some of its entrants had left: they get no points."""
    BY_HAND = "by_hand"
    """An organiser decided it, with a reason."""


class Decided(msgspec.Struct, frozen=True):
    """A pairing with its result."""

    pairing: Pairing
    points: tuple[float, ...]
    """The points of each entrant, in the order of ``pairing.entrants``: the share of opponents that it beat, where a
    tie counts half. So 1, 1/2 and 0 at a table of two; 1, 2/3, 1/3 and 0 at one of four without ties."""
    games: tuple[float, ...] = ()
    """The sum of each entrant's points in all its matches, counted in the same way; empty if no match counts."""
    played: int = 0
    """How many matches ``games`` counts."""
    outcome: Outcome = Outcome.PLAYED
    winner: int = 0
    """Knockouts: the seed number that goes on, also when the points are equal; else 0."""


class Draw(msgspec.Struct, frozen=True):
    """A round to be played."""

    stage: int
    round: int
    pairings: tuple[Pairing, ...]


class Standing(msgspec.Struct, frozen=True):
    """A row of a stage's table."""

    entrant: int
    place: int
    """The place, from 1 within the group. Entrants that all tie-breaks leave equal are ordered by seed number."""
    points: float
    tie_breaks: tuple[float, ...] = ()
    """The values of the tie-breaks, in the order of ``standings.tie_breaks_of``; higher is better."""
    group: str = ""
    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    games: float = 0.0
    """The sum of its points in single matches."""
    games_played: int = 0
    has_left: bool = False


class Place(msgspec.Struct, frozen=True):
    """Where an entrant came in the whole tournament."""

    entrant: int
    place: int
    """The place, from 1. Entrants put out in the same round of a knockout share the better place: 1, 2, 3, 3, 5 .."""
    stage: int
    """The last stage that it played."""
