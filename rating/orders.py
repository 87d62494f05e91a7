"""Turns results of matches into strict finishing orders in a canonical form.

The log-likelihood of a tie is the average over all strict orders that are compatible with the ranks. A result therefore
becomes a few strict orders with weights. Weights are counted in 24ths (a result of four players has at most 4! orders):
sums of whole numbers are exact, so that equal sets of results give equal arrays to the last bit, in whatever order they
came in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, permutations, product

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Parts = NDArray[np.int64]
"""Weights in 24ths of a match."""

PLAYERS_MAX = 4
PARTS = 24
"""The weight of a whole match."""
BLOCK = 65_536
"""Number of orders that are evaluated at a time."""


@dataclass(frozen=True, slots=True)
class Results:
    """Results of matches with the same number m of players."""

    players: Ints
    """(N, m): numbers of the bots, in seat order."""
    ranks: Ints
    """(N, m): in seat order; 1 is best, equal ranks are ties."""


@dataclass(frozen=True, slots=True)
class Orders:
    """N different strict orders of m players, sorted, with their weights; the seats by place are the same in all."""

    players: Ints
    """(m, N): bots from the first to the last place."""
    seats: tuple[int, ...]
    """(m,): the seat of each place; empty if seats do not count."""
    weights: Floats
    """(N,): in how many matches each order occurred; a tie counts as a fraction for each compatible order."""

    def blocks(self) -> Iterator[Orders]:
        """Yield the orders in blocks that fit into a processor's cache, which makes a fit several times faster."""
        for begin in range(0, len(self.weights), BLOCK):
            piece = slice(begin, begin + BLOCK)
            yield Orders(np.ascontiguousarray(self.players[:, piece]), self.seats, self.weights[piece])


def results_collect(matches: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[Results]:
    """Return matches, given as (players in seat order, ranks), as one table for each number of players."""
    by_players: dict[int, tuple[list[Sequence[int]], list[Sequence[int]]]] = {}
    for players, ranks in matches:
        rows = by_players.setdefault(len(players), ([], []))
        rows[0].append(players)
        rows[1].append(ranks)
    return [
        Results(np.array(players, dtype=np.int64), np.array(ranks, dtype=np.int64))
        for _, (players, ranks) in sorted(by_players.items())
    ]


def ranking_problem(ranks: Sequence[int], players: int) -> str:
    """Return what is wrong with the ranks of a match of ``players`` players, "" if nothing is."""
    if len(ranks) != players:
        return f"must be {players}, one a player"
    if 1 not in ranks or not all(1 <= rank <= players for rank in ranks):
        return f"must be whole numbers from 1 to {players}, the best of them 1"
    return ""


def orders_of(tables: Iterable[Results], *, bots: int, seated: bool) -> list[Orders]:
    """Return the canonical form of tables of results, one table for each number of players.

    ``bots`` and ``seated`` are those of ``canonical``.

    Raises:
        ValueError: a match is impossible (see ``canonical``).
    """
    return [orders for table in tables if len(table.players) for orders in canonical(table, bots=bots, seated=seated)]


def canonical(results: Results, *, bots: int, seated: bool) -> list[Orders]:
    """Return the strict orders of results, each once, with its weight: sorted, and one ``Orders`` for each seating.

    Args:
        results: matches with one number of players.
        bots: the number of bots, which are numbered from 0.
        seated: whether seats count.

    Raises:
        ValueError: more than four players, fewer than two, an unknown bot, or a bot twice in a match.
    """
    m = results.players.shape[1]
    if not 2 <= m <= PLAYERS_MAX:
        raise ValueError(f"A rated match has 2 to {PLAYERS_MAX} players, not {m}.")
    if results.players.min() < 0 or results.players.max() >= bots:
        raise ValueError(f"The bots of a match must be numbered from 0 to {bots - 1}.")
    if any((one == other).any() for one, other in combinations(results.players.T, 2)):
        raise ValueError("A bot cannot play against itself in a rated match.")
    pieces: defaultdict[tuple[int, ...], list[tuple[Ints, Parts]]] = defaultdict(list)
    for seats, players, parts in _strict(results):
        pieces[seats if seated else ()].append((players, np.full(players.shape[1], parts, dtype=np.int64)))
    return [
        _sum_equal(
            seats,
            np.concatenate([rows for rows, _ in piece], axis=1),
            np.concatenate([parts for _, parts in piece]),
            bots=bots,
        )
        for seats, piece in sorted(pieces.items())
    ]


def _strict(results: Results) -> Iterator[tuple[tuple[int, ...], Ints, int]]:
    """Yield the strict orders that are compatible with the results: seats by place, players (m, N), weight in parts.

    Matches whose ranks have the same pattern (which seat came before which) are handled together; there are 3, 13 or 75
    patterns for 2, 3 or 4 players.
    """
    players = np.ascontiguousarray(results.players.T)
    code = np.zeros(players.shape[1], dtype=np.int16)
    for one, other in combinations(results.ranks.T, 2):
        code = 3 * code + np.sign(one - other).astype(np.int16)
    by_code = np.argsort(code, kind="stable")
    for rows in np.split(by_code, np.flatnonzero(np.diff(code[by_code])) + 1):
        ranks = results.ranks[rows[0]].tolist() if len(rows) else []
        orders = list(_compatible(ranks))
        for seats in orders:
            yield seats, players[np.array(seats, dtype=np.int64)[:, None], rows], PARTS // len(orders)


def _compatible(ranks: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield all strict orders of the seats, first place first, that are compatible with the ranks by seat."""
    by_rank = groupby(sorted(range(len(ranks)), key=ranks.__getitem__), key=ranks.__getitem__)
    members = [list(seats) for _, seats in by_rank]
    for choice in product(*(permutations(seats) for seats in members)):
        yield tuple(seat for seats in choice for seat in seats)


def _sum_equal(seats: tuple[int, ...], rows: Ints, parts: Parts, *, bots: int) -> Orders:
    """Return the sorted columns of ``rows`` (m, N), each once, with the sum of the parts (N,) of equal ones."""
    if not len(parts):
        return Orders(rows, seats, parts / PARTS)
    # (N,): a number for each column of ``rows`` (m, N), so that sorting by it sorts the columns.
    key: Ints = rows[0]
    width = bots
    for row in rows[1:]:
        if width * bots > np.iinfo(np.int64).max:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            width = len(key)
        key, width = key * bots + row, width * bots
    order = np.argsort(key)  # not stable, which is much faster: columns of the same key are equal
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    weights = np.add.reduceat(parts[order], first)
    return Orders(np.ascontiguousarray(rows[:, order[first]]), seats, weights / PARTS)
