"""Compares standings and tie-breaks with those of another library on random tournaments.

``python -m tests.formats.against_gacrux 2000`` prints how many tournaments it compared and every difference.
"""

from __future__ import annotations

import argparse
import random
from fractions import Fraction

from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json

from formats.model import Decided, Entrant, Format, Outcome, Pairing, Stage, TieBreak
from formats.standings import standings
from formats.trf import trf_write

CODES = {
    TieBreak.BUCHHOLZ: "BH",
    TieBreak.MEDIAN_BUCHHOLZ: "BH/M1",
    TieBreak.SONNEBORN_BERGER: "SB",
    TieBreak.WINS: "WON",
    TieBreak.DIRECT_ENCOUNTER: "DE",
}
"""The name of each tie-break there. It has none for the difference of games."""


def tournament_random(chance: random.Random) -> tuple[Stage, list[Entrant], list[Decided]]:
    """Return a finished stage with random results, byes, and entrants that leave."""
    count = chance.randint(4, 24)
    order = chance.sample(list(CODES), len(CODES))
    is_swiss = chance.random() < 0.6
    if is_swiss:
        rounds = chance.randint(3, 9)
        stage = Stage(Format.SWISS, rounds=rounds, tie_breaks=tuple(order))
    else:
        count = min(count, 12)
        cycles = chance.randint(1, 2)
        rounds = cycles * (count - 1 + count % 2)
        stage = Stage(Format.ROUND_ROBIN, cycles=cycles, tie_breaks=tuple(order))
    leave = chance.choice((0.0, 0.0, 0.1, 0.3))
    entrants = [
        Entrant(number, f"bot {number}", left=(0, chance.randint(1, rounds)) if chance.random() < leave else None)
        for number in range(1, count + 1)
    ]
    strength = {entrant.number: chance.gauss(0, 1) for entrant in entrants}
    decided: list[Decided] = []
    points = dict.fromkeys(strength, 0.0)
    met: set[frozenset[int]] = set()
    byes: set[int] = set()
    for round_ in range(1, rounds + 1):
        if is_swiss:
            # Who leaves in this round is paired, and who left before is not.
            here = [each.number for each in entrants if each.left is None or each.left >= (0, round_)]
            pairs = _swiss(chance, here, points, met, byes)
        else:
            pairs = _berger(count, round_)
        for number, pair in enumerate(pairs, start=1):
            one = _decided(chance, entrants, Pairing(stage=0, round=round_, number=number, entrants=pair), strength)
            decided.append(one)
            for entrant, own in zip(pair, one.points, strict=True):
                points[entrant] += own
    return stage, entrants, decided


def _swiss(
    chance: random.Random, here: list[int], points: dict[int, float], met: set[frozenset[int]], byes: set[int]
) -> list[tuple[int, ...]]:
    """Return pairs with about equal points that have not met if possible, and a bye in odd fields."""
    left = sorted(here, key=lambda number: (-points[number], chance.random()))
    pairs: list[tuple[int, ...]] = []
    if len(left) % 2:
        rests = next((number for number in reversed(left) if number not in byes), left[-1])
        byes.add(rests)
        left.remove(rests)
        pairs.append((rests,))
    while left:
        first = left.pop(0)
        other = next((number for number in left if frozenset((first, number)) not in met), left[0])
        left.remove(other)
        met.add(frozenset((first, other)))
        pairs.append((first, other) if chance.random() < 0.5 else (other, first))
    return pairs


def _berger(count: int, round_: int) -> list[tuple[int, ...]]:
    """Return the pairs of a round of a round robin, by the circle method."""
    size = count + count % 2
    ring = [1 + (index + round_) % (size - 1) for index in range(size - 1)]
    pairs = [(size, ring[0]), *((ring[index], ring[-index]) for index in range(1, size // 2))]
    return [pair for pair in pairs if max(pair) <= count]


def _decided(chance: random.Random, entrants: list[Entrant], pairing: Pairing, strength: dict[int, float]) -> Decided:
    """Return a pairing with a random result, or a forfeit if somebody has left."""
    if len(pairing.entrants) == 1:
        return Decided(pairing, points=(1.0,), outcome=Outcome.BYE)
    plays = [entrants[number - 1].plays(0, pairing.round) for number in pairing.entrants]
    if not all(plays):
        return Decided(pairing, points=tuple(float(each) for each in plays), outcome=Outcome.FORFEIT)
    first, second = (strength[number] for number in pairing.entrants)
    value = first - second + chance.gauss(0, 1)
    own = 0.5 if abs(value) < 0.3 else float(value > 0)
    return Decided(pairing, points=(own, 1 - own), played=2, games=(2 * own, 2 - 2 * own))


def differences(stage: Stage, entrants: list[Entrant], decided: list[Decided]) -> list[str]:
    """Return what the other library says differently: points, values of tie-breaks, or who is before whom."""
    ours = standings(stages=[stage], stage=0, entrants=entrants, decided=decided)
    text = trf_write(name="random", stages=[stage], stage=0, entrants=entrants, decided=decided)
    is_swiss = stage.format == Format.SWISS
    # In a round robin forfeits count as played: the modifier P. Wins are those on the board everywhere.
    codes = [CODES[each] + ("" if is_swiss or each == TieBreak.WINS else "/P") for each in stage.tie_breaks]
    reader = trf2json()
    reader.parse_file(text, False)
    params = {
        "tiebreak": ["PTS", *codes],
        "check": False,
        "unrated": None,
        "pre_determined": not is_swiss,
        "swiss": is_swiss,
    }
    other = reader.get_tournament(1)
    result = tiebreak(other, -1, params).compute_tiebreaks(other, params)
    theirs = {each["cid"]: each for each in result["competitors"]}
    found = []
    for row in ours:
        named = dict(zip(["PTS", *codes], theirs[row.entrant]["tiebreakScore"], strict=True))
        for code, value in zip(["PTS", *codes], (row.points, *row.tie_breaks), strict=True):
            if not code.startswith("DE") and Fraction(value) != Fraction(named[code]):
                found.append(f"{code} of {row.entrant}: we {value}, it {named[code]}")
    # Direct encounter is a place there and a number of others here, so only the order is compared.
    keys = {row.entrant: (row.points, *row.tie_breaks) for row in ours}
    for row in ours:
        place = 1 + sum(key > keys[row.entrant] for key in keys.values())
        if place != theirs[row.entrant]["rank"]:
            found.append(f"place of {row.entrant}: we {place}, it {theirs[row.entrant]['rank']}")
    return found


def main() -> None:
    """Compare as many tournaments as asked for, from fixed seeds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    count = parser.parse_args().count
    differing = 0
    for seed in range(count):
        made = tournament_random(random.Random(seed))  # noqa: S311 - results to compare
        found = differences(*made)
        if found:
            differing += 1
            print(f"tournament {seed} ({made[0].format}): {found}")  # noqa: T201 - what the command is for
    print(f"{count} tournaments, {differing} differ")  # noqa: T201 - what the command is for


if __name__ == "__main__":
    main()
