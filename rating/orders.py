"""Results of matches as strict finishing orders in one canonical form.

A tie counts as the average of the log-likelihood over all strict orders compatible with the ranks, so a result becomes
a few strict orders with weights. Weights are whole numbers of 24ths (4! is the most orders a result can have): sums of
whole numbers are exact, so that equal sets of results give equal arrays to the last bit, whatever order they came in.
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
"""24ths of matches."""

PLAYERS_MAX = 4
PARTS = 24
"""A whole match weighs 24 parts."""
BLOCK = 65_536
"""Orders in a block."""


@dataclass(frozen=True, slots=True)
class Results:
    """Results of matches with the same number m of players."""

    players: Ints
    """(N, m): numbers of the bots, in seat order."""
    ranks: Ints
    """(N, m): 1 is best, equal ranks are ties. A bot at fault has the last rank."""


@dataclass(frozen=True, slots=True)
class Orders:
    """Different strict orders of m players with their weights, sorted, all with the same seats by place."""

    players: Ints
    """(m, N): bots from the first to the last place."""
    seats: tuple[int, ...]
    """The seat of each place; empty without seats."""
    weights: Floats
    """(N,): in matches."""

    def blocks(self) -> Iterator[Orders]:
        """Yield them in pieces that fit into a processor's cache, which makes a fit several times faster."""
        for begin in range(0, len(self.weights), BLOCK):
            piece = slice(begin, begin + BLOCK)
            yield Orders(np.ascontiguousarray(self.players[:, piece]), self.seats, self.weights[piece])


def results_collect(matches: Iterable[tuple[Sequence[int], Sequence[int]]]) -> list[Results]:
    """Gather matches, each as (players in seat order, ranks), into one table for each number of players."""
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
    """Say why ranks are no ranking of so many players; empty if they are one."""
    if len(ranks) != players:
        return f"must be {players}, one a player"
    if 1 not in ranks or not all(1 <= rank <= players for rank in ranks):
        return f"must be whole numbers from 1 to {players}, the best of them 1"
    return ""


def orders_of(tables: Iterable[Results], *, bots: int, seated: bool) -> list[Orders]:
    """Return the canonical form of tables of results, each of another number of players.

    Raises:
        ValueError: a match that cannot be (see ``canonical``).
    """
    return [orders for table in tables if len(table.players) for orders in canonical(table, bots=bots, seated=seated)]


def canonical(results: Results, *, bots: int, seated: bool) -> list[Orders]:
    """Return the strict orders of results, each once, sorted, with its weight, by seats.

    Args:
        results: of one number of players.
        bots: how many there are, numbered from 0.
        seated: whether seats make a difference.

    Raises:
        ValueError: more than four players, fewer than two, an unknown bot, or a bot twice in a match.
    """
    _check(results, bots)
    pieces: defaultdict[tuple[int, ...], list[tuple[Ints, Parts]]] = defaultdict(list)
    for seats, players, parts in _strict(results):
        pieces[seats if seated else ()].append((players, np.full(players.shape[1], parts, dtype=np.int64)))
    return [_sum_equal(seats, *_joined(piece), bots=bots) for seats, piece in sorted(pieces.items())]


def _joined(pieces: list[tuple[Ints, Parts]]) -> tuple[Ints, Parts]:
    return np.concatenate([rows for rows, _ in pieces], axis=1), np.concatenate([parts for _, parts in pieces])


def _check(results: Results, bots: int) -> None:
    m = results.players.shape[1]
    if not 2 <= m <= PLAYERS_MAX:
        raise ValueError(f"A rated match has 2 to {PLAYERS_MAX} players, not {m}.")
    if results.players.min() < 0 or results.players.max() >= bots:
        raise ValueError(f"The bots of a match must be numbered from 0 to {bots - 1}.")
    if any((one == other).any() for one, other in combinations(results.players.T, 2)):
        raise ValueError("A bot cannot play against itself in a rated match.")


def _strict(results: Results) -> Iterator[tuple[tuple[int, ...], Ints, int]]:
    """Yield the strict orders compatible with each pattern of ranks: seats by place, players (m, N), parts of a match.

    A pattern is who came before whom, of all pairs of seats: there are 3, 13 or 75.
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
    """Yield all orders of the seats that keep to the ranks."""
    by_rank = groupby(sorted(range(len(ranks)), key=ranks.__getitem__), key=ranks.__getitem__)
    members = [list(seats) for _, seats in by_rank]
    for choice in product(*(permutations(seats) for seats in members)):
        yield tuple(seat for seats in choice for seat in seats)


def _sum_equal(seats: tuple[int, ...], rows: Ints, parts: Parts, *, bots: int) -> Orders:
    """Merge equal columns of rows, adding their parts, and sort them."""
    if not len(parts):
        return Orders(rows, seats, parts / PARTS)
    key = _sort_key(rows, bots)
    order = np.argsort(key)  # not stable, which is much faster: columns of the same key are equal
    key = key[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    weights = np.add.reduceat(parts[order], first)
    return Orders(np.ascontiguousarray(rows[:, order[first]]), seats, weights / PARTS)


def _sort_key(rows: Ints, bots: int) -> Ints:
    """Return one whole number from 0 for each column of rows, in the order of the columns."""
    key: Ints = rows[0]
    width = bots
    for row in rows[1:]:
        if width * bots > np.iinfo(np.int64).max:
            key = np.unique(key, return_inverse=True)[1].astype(np.int64)
            width = len(key)
        key, width = key * bots + row, width * bots
    return key
