"""A tournament that the pure functions of ``formats`` play in this process, with results by a formula.

The result of a match follows from its seed and the names on its seats alone. So a tournament on a site with the same
lots and the same formula must end in the same way, whatever happens to it meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from formats.model import DUEL, Decided, Entrant, Pairing, Place, Stage
from formats.pairings import pairing_decide
from formats.rounds import next_round
from formats.seeds import encounter_seed
from formats.standings import places
from rating.matchmaking import rotations

ELO_A_NUMBER = 12
"""By how many Elo a bot is weaker than that with the next smaller number."""
TIES = 0.1


def ranks_of(*, seed: int, names: Sequence[str]) -> list[int]:
    """Return the ranks of a match of two, by seats.

    Args:
        seed: of the match.
        names: of the bots by seats; each ends in a number, the smaller the stronger.
    """
    first, second = (int(name.split()[-1]) for name in names)
    digest = blake2b(f"{seed} {first} {second}".encode(), digest_size=8).digest()
    dice = int.from_bytes(digest) / 2**64
    wins = (1 - TIES) / (1 + 10 ** ((first - second) * ELO_A_NUMBER / 400))
    if dice < TIES:
        return [1, 1]
    return [1, 2] if dice - TIES < wins else [2, 1]


@dataclass
class Undisturbed:
    """A tournament with tables of two."""

    stages: Sequence[Stage]
    entrants: Sequence[Entrant]
    """Their names are those for ``ranks_of``."""
    lots: int
    decided: list[Decided] = field(default_factory=list)

    def play(self) -> list[Place]:
        """Play all rounds, and return the places."""
        known = {"stages": self.stages, "entrants": self.entrants, "lots": self.lots, "sizes": [DUEL]}
        while draw := next_round(**known, decided=self.decided):
            self.decided += [self._decide(table) for table in draw.pairings]
        return places(stages=self.stages, entrants=self.entrants, decided=self.decided)

    def _decide(self, table: Pairing) -> Decided:
        stage = self.stages[table.stage]
        encounters: list[list[list[int]]] = []
        while True:
            found = pairing_decide(stage=stage, pairing=table, entrants=self.entrants, encounters=encounters)
            if isinstance(found, Decided):
                return found
            encounters += [self._encounter(table, number) for number in range(len(encounters) + 1, found + 1)]

    def _encounter(self, table: Pairing, number: int) -> list[list[int]]:
        """Return the ranks of an encounter's matches, in the order of the table's entrants."""
        seed = encounter_seed(
            lots=self.lots, stage=table.stage, round_=table.round, pairing=table.number, encounter=number
        )
        names = {entrant.number: entrant.name for entrant in self.entrants}
        matches = []
        for seating in rotations(table.entrants):
            ranks = ranks_of(seed=seed, names=[names[entrant] for entrant in seating])
            matches.append([ranks[seating.index(entrant)] for entrant in table.entrants])
        return matches
