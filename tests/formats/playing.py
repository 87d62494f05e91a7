"""Plays tournaments with random results, as the arena does: rounds by ``next_round``, tables by ``table_decide``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from formats.model import Decided, Draw, Entrant, Stage, Table
from formats.rounds import next_round
from formats.tables import table_decide

Leaving = Callable[[Draw], Sequence[int]]
"""Who leaves while a round is being played."""


def random_of(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - results of a test


def entrants_made(count: int) -> list[Entrant]:
    return [Entrant(number, f"bot{number}") for number in range(1, count + 1)]


def encounter_played(rng: Random, strengths: Sequence[float]) -> list[list[int]]:
    """Return the ranks of one encounter's matches, with ties."""
    matches = []
    for _ in strengths:
        shown = [round(3 * rng.random() + strength) for strength in strengths]
        matches.append([1 + sum(other > own for other in shown) for own in shown])
    return matches


def table_played(stage: Stage, table: Table, entrants: Sequence[Entrant], rng: Random) -> Decided:
    """Play encounters until the table is decided; the better seed is the stronger one."""
    encounters: list[list[list[int]]] = []
    while True:
        decided = table_decide(stage=stage, table=table, entrants=entrants, encounters=encounters)
        if isinstance(decided, Decided):
            return decided
        assert decided > len(encounters)
        strengths = [-number / len(entrants) for number in table.entrants]
        encounters += [encounter_played(rng, strengths) for _ in range(decided - len(encounters))]


def rounds_played(
    stages: Sequence[Stage],
    count: int,
    rng: Random,
    *,
    sizes: Sequence[int] = (2, 3, 4),
    lots: int = 1,
    leaving: Leaving = lambda draw: (),
) -> Iterator[tuple[Draw, list[Entrant], list[Decided]]]:
    """Yield each round with the entrants and the results before it; then play it."""
    entrants, decided = entrants_made(count), list[Decided]()
    while draw := next_round(stages=stages, entrants=entrants, decided=decided, lots=lots, sizes=sizes):
        yield draw, list(entrants), list(decided)
        for number in leaving(draw):
            if entrants[number - 1].left is None:
                entrants[number - 1] = Entrant(number, f"bot{number}", left=(draw.stage, draw.round))
        decided += [table_played(stages[draw.stage], table, entrants, rng) for table in draw.tables]
