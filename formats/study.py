"""A simulation of tournaments: how often does the truly best bot win, by format and number of matches?

``python -m formats.study`` prints the tables of docs/tournaments_study.md. Rounds, results of pairings and places come
from the functions that the site uses, so the study tests the formats, too.

The world is that of ``rating.study``: strengths N(1500, 250) in Elo points, a cyclic term of 60, a quarter of draws
between equals, seats worth 25 up and down, seeds of the game that favour one of the two by N(0, 60) in all matches of
an encounter. The best bot is the one with the highest rating after an endless round robin. Seed numbers come from a
board whose ratings err by N(0, 50), or are drawn by lot.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from core.arguments import positive
from formats.model import DUEL, Decided, Entrant, Format, Pairing, Stage
from formats.pairings import pairing_decide
from formats.rounds import next_round
from formats.standings import places
from rating.orders import Floats
from rating.study import MAP_SD, World

SEED = 39
RUNS = {8: 1600, 32: 600, 128: 120}
"""How many tournaments of each design are simulated, by the number of entrants."""
SWISS_SHARE = 4
"""Designs with a Swiss stage get only one run in so many, since its pairing takes most of the time."""
BOARD_SD = 50.0
"""The standard error of the board's ratings, by which seed numbers are given, in Elo points."""
TOP = 3


class Design(msgspec.Struct, frozen=True):
    """A tournament that an organiser might choose."""

    name: str
    stages: tuple[Stage, ...]
    by_lot: bool = False
    """Whether seed numbers are drawn by lot instead of given by the board."""


class Line(msgspec.Struct, frozen=True):
    """What a design brought: averages over all runs with their standard errors."""

    name: str
    runs: int
    """How many tournaments were simulated."""
    matches: float
    best: tuple[float, float]
    """How often the truly best bot won."""
    top: tuple[float, float]
    """How often it was among the first three."""
    correlation: tuple[float, float]
    """Spearman's rank correlation of places and true strengths."""


def designs(entrants: int) -> list[Design]:
    """Return the designs for 8, 32 or 128 entrants."""
    rounds = entrants.bit_length() - 1
    made = [Design("Round robin", (Stage(Format.ROUND_ROBIN),))]
    if entrants < max(RUNS):
        made.append(Design("Round robin, best of 3", (Stage(Format.ROUND_ROBIN, best_of=3),)))
    made += [
        Design(f"Swiss, {count} rounds{_best(best_of)}", (Stage(Format.SWISS, rounds=count, best_of=best_of),))
        for count, best_of in ((rounds, 1), (rounds + 2, 1), (rounds + 4, 1), (rounds + 2, 3))
        if count < entrants - 1
    ]
    for form, name in (
        (Format.SINGLE_ELIMINATION, "Single elimination"),
        (Format.DOUBLE_ELIMINATION, "Double elimination"),
    ):
        for best_of in (1, 3, 5):
            stage = Stage(form, best_of=best_of, third_place=form == Format.SINGLE_ELIMINATION)
            made.append(Design(f"{name}{_best(best_of)}", (stage,)))
            if best_of == TOP:
                made.append(Design(f"{name}{_best(best_of)}, seeds by lot", (stage,), by_lot=True))
    groups, goes_on = max(2, entrants // 8), max(4, entrants // 4)
    final = Stage(Format.SINGLE_ELIMINATION, best_of=5, third_place=True)
    made.append(
        Design(
            f"{groups} groups, {goes_on} go on to single elimination, best of 5",
            (Stage(Format.ROUND_ROBIN, groups=groups, goes_on=goes_on), final),
        )
    )
    if entrants > min(RUNS):
        made.append(
            Design(
                f"Swiss, {rounds + 2} rounds, 8 go on to single elimination, best of 5",
                (Stage(Format.SWISS, rounds=rounds + 2, goes_on=8), final),
            )
        )
    return made


def _best(best_of: int) -> str:
    return f", best of {best_of}" if best_of > 1 else ""


def study(*, entrants: int, runs: int, seed: int = SEED) -> list[Line]:
    """Simulate each design in the same worlds, and return what they brought, the cheapest first.

    Args:
        entrants: 8, 32 or 128.
        runs: the number of tournaments of each design; a quarter of it for designs with a Swiss stage.
        seed: decides everything.
    """
    found: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    for run in range(runs):
        rng = np.random.default_rng((seed, entrants, run))
        world = World(entrants, {}, rng)
        board = world.truth + rng.normal(0.0, BOARD_SD, entrants)
        lot = rng.random(entrants)
        for index, design in enumerate(designs(entrants)):
            is_swiss = any(stage.format == Format.SWISS for stage in design.stages)
            if not is_swiss or run * SWISS_SHARE < runs:
                world.rng = np.random.default_rng((seed, entrants, run, index))
                found[design.name].append(_run(design.stages, world, lot if design.by_lot else board))
    lines = []
    for name, results in found.items():
        means = np.mean(results, axis=0).tolist()
        errors = (np.std(results, axis=0) / np.sqrt(len(results))).tolist()
        best, top, correlation = zip(means[1:], errors[1:], strict=True)
        lines.append(Line(name, len(results), means[0], best, top, correlation))
    return sorted(lines, key=lambda line: line.matches)


def _run(stages: Sequence[Stage], world: World, known: Floats) -> tuple[float, float, float, float]:
    """Simulate a tournament.

    Args:
        stages: its stages.
        world: how strong the bots are, and the dice.
        known: what gives the seed numbers: the higher, the better.

    Returns:
        The number of matches, whether the best bot won, whether it was in the top three, and the rank correlation.
    """
    bots = [int(bot) for bot in np.argsort(-known)]
    field = [Entrant(number, f"bot {bot}") for number, bot in enumerate(bots, start=1)]
    decided = list(played(world, stages, field, bots))
    came = np.empty(len(bots))
    for place in places(stages=stages, entrants=field, decided=decided):
        came[bots[place.entrant - 1]] = place.place
    best = came[int(np.argmax(world.truth))]
    correlation = float(np.corrcoef(_ranks(came), _ranks(-world.truth))[0, 1])
    return sum(one.played for one in decided), float(best == 1), float(best <= TOP), correlation


def _ranks(values: Floats) -> Floats:
    """Return twice the rank of each value, smallest first; equal ones share the middle of their ranks."""
    return np.asarray(np.sum(values[:, None] > values, axis=1) + np.sum(values[:, None] >= values, axis=1), float)


def played(world: World, stages: Sequence[Stage], field: Sequence[Entrant], bots: Sequence[int]) -> Iterator[Decided]:
    """Play a tournament to its end and yield its decided pairings.

    Args:
        world: how strong the bots are, and the dice.
        stages: the tournament's stages.
        field: its entrants, by seed number.
        bots: the bot of each entrant.
    """
    decided: list[Decided] = []
    while draw := next_round(stages=stages, entrants=field, decided=decided, lots=0, sizes=(DUEL,)):
        for pairing in draw.pairings:
            decided.append(_played(world, stages[pairing.stage], pairing, field, bots))
            yield decided[-1]


def _played(world: World, stage: Stage, pairing: Pairing, field: Sequence[Entrant], bots: Sequence[int]) -> Decided:
    """Play a pairing's encounters until it is decided."""
    here = [field[number - 1] for number in pairing.entrants]
    encounters: list[list[tuple[int, int]]] = []
    while not isinstance(
        result := pairing_decide(stage=stage, pairing=pairing, entrants=here, encounters=encounters), Decided
    ):
        first, second = (bots[number - 1] for number in pairing.entrants)
        while len(encounters) < result:
            favour = world.rng.normal(0.0, MAP_SD)
            seated = world.ranks(first, second, favour), world.ranks(second, first, -favour)[::-1]
            encounters.append(list(seated))
    return result


def markdown(lines: Sequence[Line]) -> str:
    """Return the lines as a table in Markdown; percentages and correlations with their standard errors."""
    rows = [
        "| format | tournaments | matches of each | best bot wins | best bot in the top three | rank correlation |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for line in lines:
        best, top = (f"{100 * mean:.0f} ± {100 * error:.1f} %" for mean, error in (line.best, line.top))
        correlation = "{:.2f} ± {:.3f}".format(*line.correlation)
        rows.append(f"| {line.name} | {line.runs} | {line.matches:,.0f} | {best} | {top} | {correlation} |")
    return "\n".join(rows)


def main() -> None:
    """Print a table for each number of entrants."""
    parser = argparse.ArgumentParser(prog="python -m formats.study", description=__doc__)
    parser.add_argument("--entrants", type=int, choices=sorted(RUNS), nargs="+", default=sorted(RUNS))
    parser.add_argument("--runs", type=positive, help=f"tournaments of each design; default: {RUNS}")
    options = parser.parse_args()
    for entrants in options.entrants:
        runs = options.runs or RUNS[entrants]
        print(f"### {entrants} entrants\n")  # noqa: T201 - what the command is for
        print(markdown(study(entrants=entrants, runs=runs)), end="\n\n", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
