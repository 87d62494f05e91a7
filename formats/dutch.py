"""Swiss rounds at tables of two: the Dutch system of FIDE (Handbook C.04.3, in force from 1 February 2026), by gacrux.

Who sits first in the first match of an encounter is "white". An encounter has every seating, so colours decide nothing;
they are kept since the system's rules use them, and so that other programs find the same pairings in a TRF file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Any

import networkx
from gacrux.gacruxexeptions import GacruxError
from gacrux.pairingdutch import pairing_dutch

from formats.model import DUEL, Decided, Outcome
from formats.neighbours import Met

_BYE = 0
"""Stands for the opponent of the entrant that has a bye, as in gacrux."""
_REPEAT = 10**12
"""The cost of a repeated meeting, or of another bye: more than all differences in points can cost together."""


def dutch_pairings(
    *,
    members: Sequence[int],
    playing: Sequence[int],
    decided: Sequence[Decided],
    rounds: int,
    round_: int,
    is_white_first: bool,
) -> list[tuple[int, ...]] | None:
    """Return the pairings of a round in their order, each white first, the bye last; None if the rules allow none.

    That happens in small fields after many rounds: the rules forbid that two meet twice, that one has two byes, and
    that both in a pairing must have the same colour. ``members``, ``playing``, ``decided`` and ``round_`` are
    those of ``swiss.swiss_pairings``; the stage has ``rounds`` rounds; ``is_white_first`` tells whether the strongest
    has white in round 1.
    """
    number_of = {member: number for number, member in enumerate(members, 1)}
    here = set(playing)
    tournament = {
        "tournamentType": "Swiss",
        "teamTournament": False,
        "numRounds": rounds,
        "currentRound": round_ - 1,
        # gacrux draws a random number for those that have none, and uses it for a tie-break alone.
        "competitors": [{"cid": number_of[each], "present": each in here, "random": 1} for each in members],
        "scoreSystem": {"game": {"W": Decimal(1), "D": Decimal("0.5"), "L": Decimal(0), "Z": Decimal(0), "P": "W"}},
        "gameList": [_game(each, number_of) for each in decided],
        "topColor": "w" if is_white_first else "b",
    }
    try:
        brackets = pairing_dutch(tournament, round_, {"experimental": [], "verbose": 0}).compute_pairing(False)
    except GacruxError:
        return None
    pairs = sorted((pair for bracket in brackets for pair in bracket["pairs"]), key=lambda pair: pair["board"])
    return [tuple(members[number - 1] for number in (pair["w"], pair["b"]) if number != _BYE) for pair in pairs]


def _game(decided: Decided, number_of: Mapping[int, int]) -> dict[str, Any]:
    """Return a decided pairing as an entry of gacrux's ``gameList``; ``number_of`` maps seed numbers to gacrux's."""
    sides = [
        {"cid": number_of[entrant], "result": "D", "score": Decimal(str(round(points, 6)))}
        for entrant, points in zip(decided.pairing.entrants, decided.points, strict=True)
    ]
    is_bye = len(sides) < DUEL
    if is_bye:
        sides[0]["result"] = "P"
    elif decided.points[0] != decided.points[1]:
        is_first = decided.points[0] > decided.points[1]
        sides[0]["result"], sides[1]["result"] = ("W", "L") if is_first else ("L", "W")
    return {
        "round": decided.pairing.round,
        "white": sides[0],
        "black": None if is_bye else sides[1],
        "played": decided.outcome is not Outcome.FORFEIT,
    }


def matched_pairings(
    *, ordered: Sequence[int], points: Mapping[int, float], met: Met, byes: Mapping[int, int], first: Mapping[int, int]
) -> list[tuple[int, ...]]:
    """Return pairings for a round that the Dutch system does not allow, the bye last.

    They have as few repeated meetings and second byes as possible, and then the smallest sum of squared differences in
    points (a matching of minimal weight); the bye goes to somebody with few points. In a pairing, who has sat first
    less often does so. ``ordered``, ``points``, ``met`` and ``byes`` are those of ``neighbours.neighbours_pairings``;
    ``first`` is how often each has sat first.
    """
    graph = networkx.Graph()
    for one, two in combinations(ordered, 2):
        pair = (one, two) if one < two else (two, one)
        graph.add_edge(one, two, weight=met.get(pair, 0) * _REPEAT + round(100 * (points[one] - points[two])) ** 2)
    if len(ordered) % 2:
        for place, one in enumerate(ordered):
            cost = byes[one] * _REPEAT + round(100 * points[one]) ** 2 + len(ordered) - place
            graph.add_edge(one, _BYE, weight=cost)
    place_of = {one: place for place, one in enumerate(ordered)} | {_BYE: len(ordered)}
    pairs = [sorted(pair, key=place_of.__getitem__) for pair in networkx.min_weight_matching(graph)]
    pairings = [
        tuple(each for each in pair if each != _BYE) for pair in sorted(pairs, key=lambda pair: place_of[pair[0]])
    ]
    seated = [tuple(sorted(pairing, key=lambda one: (first[one], place_of[one]))) for pairing in pairings]
    return sorted(seated, key=lambda pairing: len(pairing) < DUEL)
