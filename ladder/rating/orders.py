"""Results of matches as strict finishing orders in one canonical form.

A tie counts as the average of the log-likelihood over all strict orders compatible with the ranks, so a result becomes
a few strict orders with weights. Weights are whole numbers of 24ths (4! is the most orders a result can have): sums of
whole numbers are exact, so that equal sets of results give equal arrays to the last bit, whatever order they came in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

PLAYERS_MAX = 4
PARTS = 24
"""A whole match weighs 24 parts."""


@dataclass(frozen=True, slots=True)
class Results:
    """Results of matches with the same number m of players."""

    players: Ints
    """(N, m): numbers of the bots, in seat order."""
    ranks: Ints
    """(N, m): 1 is best, equal ranks are ties. A bot at fault has the last rank."""


@dataclass(frozen=True, slots=True)
class Orders:
    """Different strict orders with their weights, sorted."""

    players: Ints
    """(N, m): bots from the first to the last place."""
    seats: Ints
    """(N, m): their seats."""
    weights: Floats
    """(N,): in matches."""


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


def canonical(results: Results, *, bots: int, seated: bool) -> Orders:
    """Return the strict orders of results, each once, sorted, with its weight.

    Args:
        results: of one number of players.
        bots: how many there are, numbered from 0.
        seated: whether seats make a difference; if not, all are taken for seat 0.

    Raises:
        ValueError: more than four players, fewer than two, an unknown bot, or a bot twice in a match.
    """
    _check(results, bots)
    m = results.players.shape[1]
    by_rank = np.argsort(results.ranks, axis=1, kind="stable")
    players, ranks = (np.take_along_axis(a, by_rank, axis=1) for a in (results.players, results.ranks))
    entries = np.concatenate([players, by_rank if seated else np.zeros_like(by_rank)], axis=1)
    pieces = list(_strict(entries, ranks))
    rows = np.concatenate([piece for piece, _ in pieces])
    parts = np.concatenate([np.full(len(piece), weight) for piece, weight in pieces])
    rows, weights = _sum_equal(rows, parts)
    return Orders(rows[:, :m], rows[:, m:], weights / PARTS)


def _check(results: Results, bots: int) -> None:
    m = results.players.shape[1]
    if not 2 <= m <= PLAYERS_MAX:
        raise ValueError(f"A rated match has 2 to {PLAYERS_MAX} players, not {m}.")
    ordered = np.sort(results.players, axis=1)
    if ordered.min() < 0 or ordered.max() >= bots:
        raise ValueError(f"The bots of a match must be numbered from 0 to {bots - 1}.")
    if (ordered[:, 1:] == ordered[:, :-1]).any():
        raise ValueError("A bot cannot play against itself in a rated match.")


def _strict(entries: Ints, ranks: Ints) -> Iterator[tuple[Ints, int]]:
    """Yield the strict orders of rows sorted by rank, and the parts that each weighs, for every pattern of ties."""
    m = ranks.shape[1]
    tied = ranks[:, 1:] == ranks[:, :-1]
    code = tied @ (1 << np.arange(m - 1))
    for pattern in np.unique(code).tolist():
        rows = entries[code == pattern]
        orders = list(_compatible([bool(pattern >> k & 1) for k in range(m - 1)]))
        for order in orders:
            columns = np.array(order)
            yield rows[:, np.concatenate([columns, columns + m])], PARTS // len(orders)


def _compatible(tied: list[bool]) -> Iterator[tuple[int, ...]]:
    """Yield all orders of places that keep every group of tied neighbours together."""
    group = np.concatenate([[0], np.cumsum(~np.array(tied))]).tolist()
    members = [list(places) for _, places in groupby(range(len(group)), key=group.__getitem__)]
    for choice in product(*(permutations(places) for places in members)):
        yield tuple(place for places in choice for place in places)


def _sum_equal(rows: Ints, parts: NDArray[Any]) -> tuple[Ints, Floats]:
    """Merge equal rows, adding their parts, and sort them.

    Column by column the rows seen so far are numbered anew: the keys stay small (below N times the widest column),
    and sorting one column of integers is much faster than sorting rows.
    """
    key = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        _, key = np.unique(key * (int(column.max()) + 1) + column, return_inverse=True)
    _, first = np.unique(key, return_index=True)
    return rows[first], np.bincount(key, weights=parts).astype(np.float64)
