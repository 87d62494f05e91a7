"""The model: Bradley-Terry for two players, Plackett-Luce for three and four, with seats and lineage.

A match that ends in the order o_1 .. o_m has log L = sum_k log( exp(Q t_{o_k}) / sum_{l >= k} exp(Q t_{o_l}) ), where
t_i = r_i + s_{seat(i)} is rating plus seat advantage in Elo points and Q = ln 10 / 400. For two players this is Elo's
formula. Sources: Bradley & Terry 1952; Plackett 1975; Hunter, "MM algorithms for generalized Bradley-Terry models",
2004.

Everything is computed on pairs of places. Let p_kl be the chance of l to take place k among those left: in the
gradient p_kl flows from l to k, and minus the second derivative is the sum over pairs (l, j) of p_kl p_kj d d', where
d' x is the difference of the two strengths: springs between entrants, the Laplacian of a weighted graph.

The parameters x are the ratings of all bots, then the seats of each number of players, in nats (Elo points times Q).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, Protocol

import numpy as np

from rating.orders import Floats, Ints, Orders

Q = float(np.log(10) / 400)
"""Nats in one Elo point."""
PRIOR_MEAN = 1500.0
PRIOR_SD = 350.0
LINEAGE_SD = 80.0
"""How far a new version is thought to be from its parent: worth 19 even games."""
SEAT_SD = 60.0


@dataclass(frozen=True)
class Prior:
    """What is believed before any match, in Elo points.

    Attributes:
        mean: of all bots, or one a bot.
        sd: of all bots, or one a bot; infinite where a bot has no prior of its own.
        seat_sd: of the advantage of a seat; None: seats make no difference.
        lineage: (child, parent, sd) for each version that inherits its parent's rating.
    """

    mean: float | Floats = PRIOR_MEAN
    sd: float | Floats = PRIOR_SD
    seat_sd: float | None = SEAT_SD
    lineage: Sequence[tuple[int, int, float]] = ()

    @classmethod
    def of_parents(cls, bots: int, parents: Mapping[int, int]) -> Prior:
        """Return the ladder's prior: a child has its parent's rating within 80 Elo and no prior of its own."""
        sd = np.full(bots, PRIOR_SD)
        sd[list(parents)] = np.inf
        return cls(sd=sd, lineage=[(child, parent, LINEAGE_SD) for child, parent in sorted(parents.items())])


@dataclass(frozen=True)
class Entrants:
    """Who took the m places of N matches. An entrant's strength is the sum of its parameters: a bot, and maybe a seat.

    The long axis is the last one everywhere: numpy is fastest so.
    """

    bots: Ints
    """(m, N)."""
    seats: tuple[int, ...]
    """The parameter of the seat of each place, the same in all N; empty without seats."""

    def strengths(self, x: Floats) -> Floats:
        """Return the strength of every entrant, (m, N)."""
        strengths = x[self.bots]
        if self.seats:
            strengths += x[list(self.seats)][:, None]
        return strengths

    def scatter(self, flows: Sequence[Floats], size: int) -> Floats:
        """Add each entrant's flow to its parameters, (size,): the transpose of ``strengths``."""
        total = np.zeros(size)
        for bots, flow in zip(self.bots, flows, strict=True):
            total += np.bincount(bots, weights=flow, minlength=size)
        if self.seats:
            total[list(self.seats)] += [flow.sum() for flow in flows]
        return total


Pairs = Sequence[tuple[int, int]]
"""Pairs of places."""


def _by_place(pairs: Sequence[tuple[int, int]], flows: Sequence[Floats], places: int) -> list[Floats]:
    """Return for each place what flows to it: the flow of a pair goes from its second place to its first."""
    into: list[list[Floats]] = [[] for _ in range(places)]
    for (k, j), flow in zip(pairs, flows, strict=True):
        into[k].append(flow)
        into[j].append(-flow)
    return [sum(parts[1:], start=parts[0]) for parts in into]


class Slopes(NamedTuple):
    """The logarithm of a density (but for a constant) at one point, and its slopes there."""

    value: float
    gradient: Floats
    """(size,)."""
    weights: list[Floats]
    """Minus the second derivative: of each pair of places the weights (N,) of d d', d the difference of strengths."""


class Term(Protocol):
    """One part of the log posterior, a function of differences of strengths."""

    entrants: Entrants
    pairs: Pairs

    def at(self, x: Floats) -> Slopes:
        """Return its value and slopes at x."""


class Finishes:
    """The likelihood of the orders of matches with m players and the same seats by place."""

    def __init__(self, orders: Orders, seats_from: int) -> None:
        """Set it up; ``seats_from`` is the parameter of seat 0."""
        self.entrants = Entrants(orders.players, tuple(seats_from + seat for seat in orders.seats))
        self.counts = orders.weights
        self.pairs: Pairs = list(combinations(range(len(orders.players)), 2))

    def at(self, x: Floats) -> Slopes:
        """Return the log-likelihood and its slopes."""
        strength = self.entrants.strengths(x)
        left = _left(strength)
        value = sum(float((one - all_) @ self.counts) for one, all_ in zip(strength, left, strict=True))
        last = len(strength) - 1
        # Of place j's entrant to take place k, at [k][j - k].
        chance = [[np.exp(strength[j] - left[k]) for j in range(k, last + 1)] for k in range(last)]
        flows = [self.counts * chance[k][j - k] for k, j in self.pairs]
        gradient = self.entrants.scatter(_by_place(self.pairs, flows, last + 1), len(x))
        meetings = [sum(chance[i][k - i] * chance[i][j - i] for i in range(k + 1)) for k, j in self.pairs]
        weights = [self.counts * np.asarray(meeting) for meeting in meetings]
        return Slopes(value, gradient, weights)


def finishes(tables: Iterable[Orders], seats_from: Mapping[int, int]) -> list[Finishes]:
    """Return the likelihood of tables, where seat 0 has this parameter for each number of players."""
    return [Finishes(block, seats_from[len(block.players)]) for table in tables for block in table.blocks()]


def _left(strength: Floats) -> list[Floats]:
    """Return for each place the logarithm of the summed exponentials of those left for it, (N,) each.

    The same as ``np.logaddexp.accumulate`` from the back, in a sixth of the time.
    """
    left = [strength[-1]]
    for one in strength[-2::-1]:
        rest = left[-1]
        left.append(np.maximum(one, rest) + np.log1p(np.exp(-np.abs(one - rest))))
    return left[::-1]


class Lineage:
    """A version's rating is near its parent's."""

    def __init__(self, lineage: Sequence[tuple[int, int, float]]) -> None:
        """Set it up from (child, parent, sd in Elo points)."""
        ends = np.array([link[:2] for link in lineage], dtype=np.int64).reshape(-1, 2)
        self.entrants = Entrants(np.ascontiguousarray(ends.T), ())
        self.pairs: Pairs = [(0, 1)]
        self.precision = np.array([(Q * sd) ** -2 for _, _, sd in lineage])

    def at(self, x: Floats) -> Slopes:
        """Return minus half the squared distances in standard deviations, and the pull towards the parent."""
        child, parent = self.entrants.strengths(x)
        pull = self.precision * (parent - child)
        gradient = self.entrants.scatter([pull, -pull], len(x))
        return Slopes(float(-0.5 * pull @ (parent - child)), gradient, [self.precision])


@dataclass(frozen=True)
class Curvature:
    """Minus the second derivative of the log posterior: a symmetric matrix, sparse but for its few rows of seats."""

    diagonal: Floats
    """(size,): of bots, then seats."""
    one: Ints
    """(L,): of every two bots that are tied to each other the lower, sorted."""
    other: Ints
    """(L,): the higher."""
    strength: Floats
    """(L,): of the tie, minus the matrix's entry."""
    border: Floats
    """(bots, seats): entries of bots and seats."""
    seats: Floats
    """(seats, seats): entries between seats, without the diagonal."""

    def times(self, v: Floats) -> Floats:
        """Return its product with a vector."""
        bots, seats = v[: len(self.border)], v[len(self.border) :]
        product = self.diagonal * v
        top = product[: len(bots)]
        top -= np.bincount(self.one, self.strength * bots[self.other], minlength=len(bots))
        top -= np.bincount(self.other, self.strength * bots[self.one], minlength=len(bots))
        top += self.border @ seats
        product[len(bots) :] += bots @ self.border + self.seats @ seats
        return product

    def dense(self) -> Floats:
        """Return it as a matrix (size, size)."""
        bots = len(self.border)
        matrix = np.diag(self.diagonal)
        matrix[self.one, self.other] = matrix[self.other, self.one] = -self.strength
        matrix[:bots, bots:], matrix[bots:, :bots] = self.border, self.border.T
        matrix[bots:, bots:] += self.seats
        return matrix


class Ties:
    """Which bots are tied to which by the terms of a posterior: the pattern of its curvature, found once."""

    def __init__(self, terms: Sequence[Term], bots: int) -> None:
        """Find it for bots numbered from 0."""
        self.terms, self.bots = terms, bots
        ends = [np.sort(term.entrants.bots[list(pair)], axis=0) for term in terms for pair in term.pairs]
        one, other = np.concatenate(ends, axis=1)
        key = one * bots + other
        self.order = np.argsort(key)
        """Of all weights, by the tie they belong to."""
        key = key[self.order]
        self.first = np.flatnonzero(np.diff(key, prepend=-1))
        self.one, self.other = np.divmod(key[self.first], max(bots, 1))

    def curvature(self, weights: Sequence[Sequence[Floats]], precision: Floats) -> Curvature:
        """Return the curvature where the pairs of the terms have these weights and the parameters this precision."""
        diagonal, border, seats = self._by_seats(weights, precision)
        all_weights = np.concatenate([weight for of_term in weights for weight in of_term])
        sums = np.add.reduceat(all_weights[self.order], self.first) if len(self.first) else all_weights
        return Curvature(diagonal, self.one, self.other, sums, border, seats)

    def _by_seats(self, weights: Sequence[Sequence[Floats]], precision: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the diagonal, the border and the seats' corner."""
        diagonal, count = precision.copy(), len(precision) - self.bots
        border, corner = np.zeros((count, self.bots)), np.zeros((count, count))
        for term, of_term in zip(self.terms, weights, strict=True):
            for (k, j), weight in zip(term.pairs, of_term, strict=True):
                near, far = (np.bincount(term.entrants.bots[end], weight, minlength=self.bots) for end in (k, j))
                diagonal[: self.bots] += near + far
                if term.entrants.seats:
                    a, b = (term.entrants.seats[end] - self.bots for end in (k, j))
                    border[a] += near - far
                    border[b] -= near - far
                    diagonal[[self.bots + a, self.bots + b]] += weight.sum()
                    corner[[a, b], [b, a]] -= weight.sum()
        return diagonal, border.T, corner


class Posterior:
    """The log posterior of a set of results."""

    def __init__(self, bots: int, tables: Sequence[Orders], prior: Prior) -> None:
        """Set it up for bots numbered from 0."""
        self.size = bots
        self.seats_from: dict[int, int] = {}
        """The parameter of seat 0 for each number of players."""
        for m in sorted({len(table.players) for table in tables}):
            self.seats_from[m] = self.size
            self.size += m if prior.seat_sd is not None else 0
        self.terms: list[Term] = [Lineage(sorted(prior.lineage)), *finishes(tables, self.seats_from)]
        self.ties = Ties(self.terms, bots)
        self.mean = np.zeros(self.size)
        self.mean[:bots] = Q * np.asarray(prior.mean)
        self.precision = np.full(self.size, (Q * (prior.seat_sd or np.inf)) ** -2)
        self.precision[:bots] = (Q * np.asarray(prior.sd)) ** -2

    def at(self, x: Floats) -> tuple[float, Floats, Curvature]:
        """Return its logarithm but for a constant, its gradient (size,), and minus its second derivative."""
        slopes = [term.at(x) for term in self.terms]
        off = x - self.mean
        value = sum((part.value for part in slopes), start=float(-0.5 * self.precision @ off**2))
        gradient = sum((part.gradient for part in slopes), start=-self.precision * off)
        curvature = self.ties.curvature([part.weights for part in slopes], self.precision)
        return value, np.asarray(gradient), curvature
