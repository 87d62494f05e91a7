"""The log posterior: Bradley-Terry for two players, Plackett-Luce for three and four, with seats and lineage.

A match that ends in the order o_1 .. o_m has log L = sum_k log( exp(Q t_{o_k}) / sum_{l >= k} exp(Q t_{o_l}) ), where
t_i = r_i + s_{seat(i)} is rating plus seat advantage in Elo points and Q = ln 10 / 400. For two players this is Elo's
formula. Sources: Bradley & Terry 1952; Plackett 1975; Hunter, "MM algorithms for generalized Bradley-Terry models",
2004.

Everything is computed on edges between two entrants. Let p_kl be the chance of l to take place k among those left: in
the gradient p_kl flows from l to k, and minus the second derivative is the sum over pairs (l, j) of p_kl p_kj d d',
where d' x is the difference of the two strengths: the Laplacian of a weighted graph.

The parameters x are the ratings of all bots, then the seats of each number of players, in nats (Elo points times Q).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np

from ladder.rating.orders import Floats, Ints, Orders

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
class Edges:
    """Pairs of entrants. An entrant's strength is the sum of its parameters: a bot, and maybe its seat."""

    plus: Ints
    """(1, E) or (2, E): parameters of one entrant. The long axis is the last one everywhere: numpy is fastest so."""
    minus: Ints
    """(1, E) or (2, E): parameters of the other."""

    def differences(self, x: Floats) -> Floats:
        """Return the strength of plus over minus of every edge, (E,)."""
        return np.asarray(x[self.plus].sum(axis=0) - x[self.minus].sum(axis=0))

    def scatter(self, flow: Floats, size: int) -> Floats:
        """Add each edge's flow to its plus side and take it from its minus side: the transpose of differences."""
        return self._sum(self.plus, flow, size) - self._sum(self.minus, flow, size)

    def diagonal(self, weights: Floats, size: int) -> Floats:
        """Return the diagonal of the Laplacian, (size,)."""
        return self._sum(self.plus, weights, size) + self._sum(self.minus, weights, size)

    def laplacian(self, weights: Floats, size: int) -> Floats:
        """Return the dense Laplacian, (size, size): the sum of weight times d d' over the edges."""
        ends = [(row, 1.0) for row in self.plus] + [(row, -1.0) for row in self.minus]
        total = np.zeros(size * size)
        for (a, sign_a), (b, sign_b) in ((one, other) for one in ends for other in ends):
            total += sign_a * sign_b * np.bincount(a * size + b, weights=weights, minlength=size * size)
        return total.reshape(size, size)

    @staticmethod
    def _sum(rows: Ints, values: Floats, size: int) -> Floats:
        sums = [np.bincount(row, weights=values, minlength=size) for row in rows]
        return np.asarray(np.sum(sums, axis=0))


class Term(Protocol):
    """One part of the log posterior, a function of differences of strengths."""

    edges: Edges

    def value(self, x: Floats) -> float:
        """Return its logarithm but for a constant."""

    def slopes(self, x: Floats) -> tuple[Floats, Floats]:
        """Return for each edge the flow (gradient) and the weight (minus the second derivative)."""


class Finishes:
    """The likelihood of the orders of matches with m players."""

    def __init__(self, orders: Orders, seats_from: int | None) -> None:
        """Set it up; ``seats_from`` is the parameter of seat 0, None: without seats."""
        seats = [] if seats_from is None else [orders.seats.T + seats_from]
        self.entrants = np.array([orders.players.T, *seats])
        """(1 or 2, m, N): parameters of who finished where."""
        self.counts = orders.weights
        self.pairs = list(combinations(range(self.entrants.shape[1]), 2))
        plus, minus = (np.hstack([self.entrants[:, pair[end]] for pair in self.pairs]) for end in (0, 1))
        self.edges = Edges(plus, minus)

    def value(self, x: Floats) -> float:
        """Return the log-likelihood."""
        strength, left = self._strengths(x)
        return float((strength - left).sum(axis=0) @ self.counts)

    def slopes(self, x: Floats) -> tuple[Floats, Floats]:
        """Return flow and weight of each pair of places, in the order of the edges."""
        strength, left = self._strengths(x)
        chance = np.exp(strength - left[:, None])  # of l to take place k, (k, l, N)
        flows = [chance[k, other] for k, other in self.pairs]
        weights = [(chance[: k + 1, k] * chance[: k + 1, other]).sum(axis=0) for k, other in self.pairs]
        return np.concatenate([self.counts * f for f in flows]), np.concatenate([self.counts * w for w in weights])

    def _strengths(self, x: Floats) -> tuple[Floats, Floats]:
        """Return strengths by place, and the logarithm of the sum over those left for that place; (m, N) each."""
        strength = x[self.entrants].sum(axis=0)
        left = np.logaddexp.accumulate(strength[::-1], axis=0)[::-1]
        return strength, left


class Lineage:
    """A version's rating is near its parent's."""

    def __init__(self, lineage: Sequence[tuple[int, int, float]]) -> None:
        """Set it up from (child, parent, sd in Elo points)."""
        ends = np.array([link[:2] for link in lineage], dtype=np.int64).reshape(-1, 2)
        self.edges = Edges(ends.T[:1], ends.T[1:])
        self.precision = np.array([(Q * sd) ** -2 for _, _, sd in lineage])

    def value(self, x: Floats) -> float:
        """Return minus half the squared distances in standard deviations."""
        return float(-0.5 * self.precision @ self.edges.differences(x) ** 2)

    def slopes(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the pull towards the parent, and its constant strength."""
        return -self.precision * self.edges.differences(x), self.precision


@dataclass(frozen=True)
class Curvature:
    """Minus the second derivative: Laplacians of weighted edges, and the own precision of each parameter."""

    edges: Sequence[tuple[Edges, Floats]]
    precision: Floats

    def times(self, v: Floats) -> Floats:
        """Return its product with a vector."""
        parts = [edges.scatter(weights * edges.differences(v), len(v)) for edges, weights in self.edges]
        return np.asarray(np.sum(parts, axis=0) + self.precision * v)

    def diagonal(self) -> Floats:
        """Return its diagonal."""
        size = len(self.precision)
        parts = [edges.diagonal(weights, size) for edges, weights in self.edges]
        return np.asarray(np.sum(parts, axis=0) + self.precision)

    def dense(self) -> Floats:
        """Return it as a matrix (size, size)."""
        size = len(self.precision)
        parts = [edges.laplacian(weights, size) for edges, weights in self.edges]
        return np.asarray(np.sum(parts, axis=0) + np.diag(self.precision))


class Posterior:
    """The log posterior of a set of results."""

    def __init__(self, bots: int, tables: Sequence[Orders], prior: Prior) -> None:
        """Set it up for bots numbered from 0; one table for each number of players."""
        self.size = bots
        self.terms: list[Term] = [Lineage(sorted(prior.lineage))]
        for table in tables:
            seats_from = self.size if prior.seat_sd is not None else None
            self.terms.append(Finishes(table, seats_from))
            self.size += table.players.shape[1] if prior.seat_sd is not None else 0
        self.mean = np.zeros(self.size)
        self.mean[:bots] = Q * np.asarray(prior.mean)
        self.precision = np.full(self.size, (Q * (prior.seat_sd or np.inf)) ** -2)
        self.precision[:bots] = (Q * np.asarray(prior.sd)) ** -2

    def value(self, x: Floats) -> float:
        """Return its logarithm but for a constant."""
        own = -0.5 * self.precision @ (x - self.mean) ** 2
        return float(own + sum(term.value(x) for term in self.terms))

    def slopes(self, x: Floats) -> tuple[Floats, Curvature]:
        """Return the gradient (size,), and minus the second derivative."""
        slopes = [term.slopes(x) for term in self.terms]
        flows = [term.edges.scatter(flow, self.size) for term, (flow, _) in zip(self.terms, slopes, strict=True)]
        gradient = np.sum(flows, axis=0) - self.precision * (x - self.mean)
        edges = [(term.edges, weights) for term, (_, weights) in zip(self.terms, slopes, strict=True)]
        return gradient, Curvature(edges, self.precision)
