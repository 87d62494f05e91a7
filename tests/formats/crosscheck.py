"""Compares our Swiss rounds with those of another library, over random tournaments.

``python -m tests.formats.crosscheck 2000`` plays tournaments of 4 to 64 entrants with draws, byes, forfeits and
withdrawals, and counts the rounds by how they compare:

- ``equal``: the same pairs, bye and seats.
- ``seats``: the same pairs and bye. The libraries differ where article 5.2.4 grants the preference of the higher ranked
  of two: caissify takes the better seed for it, the text (1.2) the one with more points.
- ``no legal pairing``: the absolute criteria allow no pairing (1.9.3), which a matching proves; ours is drawn with as
  few repeated meetings as can be, the other library's breaks a rule, too.

- ``downfloaters``: ours has more pairs in the highest bracket that differs, so fewer downfloaters (criterion C6), and
  the other library's pairing is not the one that the text asks for.

Everything else is a difference that the rules do not explain: it is printed, and the exit code is 1.
"""

from __future__ import annotations

import logging
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import networkx
from caissify_pairings.engines.dutch import DutchEngine

from formats.model import DUEL, Decided, Draw, Entrant, Format, Outcome, Stage
from tests.formats.playing import random_of, rounds_played

EXPLAINED = ("equal", "seats", "no legal pairing", "downfloaters")


class Player:
    """All that the Dutch system knows about an entrant, read from the results by itself."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.points = 0.0
        self.colours: list[str] = []
        self.floats: list[str] = []
        self.met: set[int] = set()
        self.byes = 0
        self.forfeits_won = 0

    @property
    def due(self) -> str:
        """The colour that the player must have (absolute preference, article 1.7.1), else empty."""
        balance = self.colours.count("white") - self.colours.count("black")
        if abs(balance) > 1:
            return "black" if balance > 0 else "white"
        last = self.colours[-2:]
        if len(last) == DUEL and last[0] == last[1]:
            return "black" if last[0] == "white" else "white"
        return ""


def players_of(count: int, decided: Sequence[Decided], rounds: int) -> dict[int, Player]:
    """Return the players after some rounds."""
    players = {number: Player(number) for number in range(1, count + 1)}
    for round_ in range(1, rounds + 1):
        before = {number: player.points for number, player in players.items()}
        absent = set(players)
        for each in (each for each in decided if each.pairing.round == round_):
            absent.difference_update(each.pairing.entrants)
            _add(players, before, each)
        for number in absent:
            players[number].floats.append("down")
    return players


def _add(players: dict[int, Player], before: dict[int, float], decided: Decided) -> None:
    for seat, number in enumerate(decided.pairing.entrants):
        player, gained = players[number], decided.points[seat]
        player.points += gained
        if decided.outcome is Outcome.BYE:
            player.byes += 1
            player.floats.append("down")
            continue
        mate = decided.pairing.entrants[1 - seat]
        if decided.outcome is Outcome.FORFEIT:
            player.forfeits_won += gained == 1
            player.floats.append("down" if gained else "none")
            continue
        player.met.add(mate)
        player.colours.append(("white", "black")[seat])
        level = before[number] - before[mate]
        player.floats.append("down" if level > 0 else "up" if level < 0 else "none")


def theirs(stage: Stage, playing: Sequence[Player], round_: int, *, lots: int) -> list[tuple[int, ...]]:
    """Return the pairings that the other library draws."""
    given: list[dict[str, Any]] = [
        {
            "id": player.number,
            "score": player.points,
            "rating": 0,
            "starting_number": player.number,
            "pairing_number": player.number,
            "color_hist": player.colours,
            "float_history": player.floats,
            "bye_count": player.byes,
            "forfeit_win_count": player.forfeits_won,
        }
        for player in playing
    ]
    met = {(player.number, mate) for player in playing for mate in player.met}
    engine = DutchEngine(given, met, round_, stage.rounds, initial_color="black" if lots % 2 else "white")
    return [
        tuple(pair[side] for side in ("white_id", "black_id") if pair[side] is not None)
        for pair in engine.generate_pairings()
    ]


def has_legal_pairing(stage: Stage, playing: Sequence[Player], round_: int) -> bool:
    """Return whether the absolute criteria (C1 to C3) allow a pairing of all."""
    graph = networkx.Graph()
    for one, two in combinations(playing, 2):
        top = round_ == stage.rounds and max(one.points, two.points) > (round_ - 1) / 2
        if two.number not in one.met and (top or not one.due or one.due != two.due):
            graph.add_edge(one.number, two.number)
    if len(playing) % 2:
        graph.add_edges_from((0, one.number) for one in playing if not one.byes and not one.forfeits_won)
    return 2 * len(networkx.max_weight_matching(graph, maxcardinality=True)) == len(playing) + len(playing) % 2


def _has_fewer_downfloaters(own: set[tuple[int, ...]], other: set[tuple[int, ...]], players: dict[int, Player]) -> bool:
    """Return whether the first bracket that differs has more pairs in ``own``; a pair belongs to its lower score."""

    def by_bracket(pairings: set[tuple[int, ...]]) -> dict[float, set[frozenset[int]]]:
        found: dict[float, set[frozenset[int]]] = {}
        for pairing in pairings:
            if len(pairing) == DUEL:
                found.setdefault(min(players[each].points for each in pairing), set()).add(frozenset(pairing))
        return found

    one, two = by_bracket(own), by_bracket(other)
    differing = [score for score in {*one, *two} if one.get(score) != two.get(score)]
    first = max(differing)
    return len(one.get(first, ())) > len(two.get(first, ()))


def compared(stage: Stage, draw: Draw, entrants: Sequence[Entrant], decided: Sequence[Decided], *, lots: int) -> str:
    """Return how a round of ours compares with the other library's."""
    players = players_of(len(entrants), decided, draw.round - 1)
    playing = [players[each.number] for each in entrants if each.plays(0, draw.round)]
    if not has_legal_pairing(stage, playing, draw.round):
        return "no legal pairing"
    own = {pairing.entrants for pairing in draw.pairings}
    other = set(theirs(stage, playing, draw.round, lots=lots))
    if own == other:
        return "equal"
    if {frozenset(pairing) for pairing in own} != {frozenset(pairing) for pairing in other}:
        if _has_fewer_downfloaters(own, other, players):
            return "downfloaters"
        return f"pairs {sorted(own - other)} {sorted(other - own)}"
    for one, two in own - other:
        better, worse = sorted((players[one], players[two]), key=lambda player: player.number)
        if not worse.points > better.points:
            return f"unexplained seats {one} {two}"
    return "seats"


def tournament_compared(seed: int, largest: int = 64) -> Counter[str]:
    """Play one random tournament, and return how many of its rounds compare in which way."""
    rng = random_of(seed)
    count = round(4 * (largest / 4) ** rng.random())
    stage = Stage(Format.SWISS, rounds=rng.randint(1, min(count - 1, 11)), best_of=rng.choice((1, 1, 3)))
    lots = rng.randint(0, 1)
    leaves = rng.choice((0.0, 0.01, 0.05))

    def leaving(draw: Draw) -> list[int]:
        return [number for pairing in draw.pairings for number in pairing.entrants if rng.random() < leaves]

    found: Counter[str] = Counter()
    for draw, entrants, decided in rounds_played([stage], count, rng, sizes=(2,), lots=lots, leaving=leaving):
        if sum(each.plays(0, draw.round) for each in entrants) < DUEL:
            break
        found[compared(stage, draw, entrants, decided, lots=lots)] += 1
    return found


def main(tournaments: int) -> int:
    """Compare many tournaments, and return the exit code."""
    logging.disable()
    total: Counter[str] = Counter()
    for seed in range(tournaments):
        found = tournament_compared(seed)
        total += found
        for kind in found:
            if kind not in EXPLAINED:
                print(f"Tournament {seed}: {kind}", flush=True)  # noqa: T201
    print(f"{tournaments} tournaments, {sum(total.values())} rounds:", dict(total))  # noqa: T201
    return int(any(kind not in EXPLAINED for kind in total))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
