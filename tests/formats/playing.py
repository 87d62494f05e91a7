"""Plays tournaments with random results as the arena does: rounds by ``next_round``, pairings by ``pairing_decide``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from formats.model import Decided, Draw, Entrant, Pairing, Stage
from formats.pairings import pairing_decide
from formats.rounds import next_round

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


def pairing_played(stage: Stage, pairing: Pairing, entrants: Sequence[Entrant], rng: Random) -> Decided:
    """Play encounters until the pairing is decided; the better seed is the stronger one."""
    encounters: list[list[list[int]]] = []
    while True:
        decided = pairing_decide(stage=stage, pairing=pairing, entrants=entrants, encounters=encounters)
        if isinstance(decided, Decided):
            return decided
        assert decided > len(encounters)
        strengths = [-number / len(entrants) for number in pairing.entrants]
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
        decided += [pairing_played(stages[draw.stage], pairing, entrants, rng) for pairing in draw.pairings]
