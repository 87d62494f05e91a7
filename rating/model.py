"""The rating model: Bradley-Terry for two players, Plackett-Luce for three and four, with seat advantages and parents.

A match that ends in the order o_1 .. o_m has log L = sum_k log( exp(Q t_{o_k}) / sum_{l >= k} exp(Q t_{o_l}) ), where
t_i = r_i + s_{seat(i)} is rating plus seat advantage in Elo points and Q = ln 10 / 400. For two players this is Elo's
formula. Sources: Bradley & Terry 1952; Plackett 1975; Hunter, "MM algorithms for generalized Bradley-Terry models",
2004.

All derivatives are sums over pairs of places. Let p_kl be the chance that entrant l takes place k among those left. In
the gradient, p_kl is added to the entrant of place k and subtracted from l. Minus the second derivative is the sum over
pairs (l, j) of p_kl p_kj d d', where d' x is the difference of their strengths: the Laplacian of a weighted graph.

The parameters x are the ratings of all bots, then the advantages of the seats for each number of players, in nats (Elo
points times Q).
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
"""Standard deviation of a new version's rating from its parent's, in Elo points; as precise as 19 even games."""
SEAT_SD = 60.0
"""Standard deviation of a seat's advantage in Elo points."""


@dataclass(frozen=True)
class Prior:
    """The prior distribution of ratings and seat advantages, in Elo points.

    Attributes:
        mean: of the ratings, one for all bots or one for each.
        sd: of the ratings, one for all bots or one for each; infinite for a bot without a prior of its own.
        seat_sd: of the advantage of a seat, whose mean is 0; None: seats make no difference.
        lineage: (child, parent, sd) for each version whose rating is near that of its parent.
    """

    mean: float | Floats = PRIOR_MEAN
    sd: float | Floats = PRIOR_SD
    seat_sd: float | None = SEAT_SD
    lineage: Sequence[tuple[int, int, float]] = ()

    @classmethod
    def of_parents(cls, bots: int, parents: Mapping[int, int]) -> Prior:
        """Return the prior of the ladder, given the parent of each version that has one.

        A version with a parent has the parent's rating within ``LINEAGE_SD``, and no prior of its own.
        """
        sd = np.full(bots, PRIOR_SD)
        sd[list(parents)] = np.inf
        return cls(sd=sd, lineage=[(child, parent, LINEAGE_SD) for child, parent in sorted(parents.items())])


@dataclass(frozen=True)
class Entrants:
    """The entrants of N matches with m players, by place.

    The strength of an entrant is the sum of its parameters: its bot's rating and, if seats count, its seat's advantage.
    """

    bots: Ints
    """(m, N): the bots from the first to the last place. numpy is fastest with the long axis last."""
    seats: tuple[int, ...]
    """(m,): the index of the parameter of each place's seat, the same in all N matches; empty if seats do not count."""

    def strengths(self, x: Floats) -> Floats:
        """Return (m, N): the strength of each entrant at the parameters x."""
        strengths = x[self.bots]
        if self.seats:
            strengths += x[list(self.seats)][:, None]
        return strengths

    def scatter(self, flows: Sequence[Floats], size: int) -> Floats:
        """Return (size,): for each parameter, the sum of the flows of the entrants whose strengths it is a part of.

        ``flows`` holds an array (N,) for each place, such as the derivatives of a term by the strengths there. This is
        the transpose of the linear map ``strengths``.
        """
        total = np.zeros(size)
        for bots, flow in zip(self.bots, flows, strict=True):
            total += np.bincount(bots, weights=flow, minlength=size)
        if self.seats:
            total[list(self.seats)] += [flow.sum() for flow in flows]
        return total


Pairs = Sequence[tuple[int, int]]
"""Pairs of places."""


class Slopes(NamedTuple):
    """The logarithm of a density (up to a constant) at one point, and its derivatives there."""

    value: float
    gradient: Floats
    """(size,)."""
    weights: list[Floats]
    """Minus the second derivative: weights (N,) of d d' for each pair of places, with d the difference of strengths."""


class Term(Protocol):
    """One term of the log posterior, a function of differences of strengths."""

    entrants: Entrants
    pairs: Pairs

    def at(self, x: Floats) -> Slopes:
        """Return the term's value and derivatives at the parameters x."""


class Finishes:
    """The likelihood of the orders of matches with m players and the same seats by place."""

    def __init__(self, orders: Orders, seats_from: int) -> None:
        """Take the orders; ``seats_from`` is the index of the parameter of seat 0."""
        self.entrants = Entrants(orders.players, tuple(seats_from + seat for seat in orders.seats))
        self.counts = orders.weights
        self.pairs: Pairs = list(combinations(range(len(orders.players)), 2))

    def at(self, x: Floats) -> Slopes:
        """Return the log-likelihood and its derivatives at the parameters x."""
        strength = self.entrants.strengths(x)
        left = _left(strength)
        value = sum(float((one - all_) @ self.counts) for one, all_ in zip(strength, left, strict=True))
        last = len(strength) - 1
        # chance[k][j - k] is the chance that the entrant of place j takes place k.
        chance = [[np.exp(strength[j] - left[k]) for j in range(k, last + 1)] for k in range(last)]
        flows = [self.counts * chance[k][j - k] for k, j in self.pairs]
        places = last + 1
        into: list[list[Floats]] = [[] for _ in range(places)]
        for (k, j), flow in zip(self.pairs, flows, strict=True):
            into[k].append(flow)
            into[j].append(-flow)
        gradient = self.entrants.scatter([sum(parts[1:], start=parts[0]) for parts in into], len(x))
        meetings = [sum(chance[i][k - i] * chance[i][j - i] for i in range(k + 1)) for k, j in self.pairs]
        weights = [self.counts * np.asarray(meeting) for meeting in meetings]
        return Slopes(value, gradient, weights)


def finishes(tables: Iterable[Orders], seats_from: Mapping[int, int]) -> list[Finishes]:
    """Return the likelihoods of tables; ``seats_from`` is the index of the parameter of seat 0 by number of players."""
    return [Finishes(block, seats_from[len(block.players)]) for table in tables for block in table.blocks()]


def _left(strength: Floats) -> list[Floats]:
    """Return, (N,) for each place, the logarithm of the sum of exponentials of the strengths from this place on.

    It is the same as ``np.logaddexp.accumulate`` from the last place to the first, in a sixth of the time.
    """
    left = [strength[-1]]
    for one in strength[-2::-1]:
        rest = left[-1]
        left.append(np.maximum(one, rest) + np.log1p(np.exp(-np.abs(one - rest))))
    return left[::-1]


class Lineage:
    """The prior that a version's rating is near its parent's."""

    def __init__(self, lineage: Sequence[tuple[int, int, float]]) -> None:
        """Take (child, parent, standard deviation in Elo points) of each version with a parent."""
        ends = np.array([link[:2] for link in lineage], dtype=np.int64).reshape(-1, 2)
        self.entrants = Entrants(np.ascontiguousarray(ends.T), ())
        self.pairs: Pairs = [(0, 1)]
        self.precision = np.array([(Q * sd) ** -2 for _, _, sd in lineage])

    def at(self, x: Floats) -> Slopes:
        """Return the log density and its derivatives at the parameters x."""
        child, parent = self.entrants.strengths(x)
        pull = self.precision * (parent - child)
        gradient = self.entrants.scatter([pull, -pull], len(x))
        return Slopes(float(-0.5 * pull @ (parent - child)), gradient, [self.precision])


@dataclass(frozen=True)
class Curvature:
    """Minus the second derivative of the log posterior: a symmetric matrix, sparse except for the few rows of seats."""

    diagonal: Floats
    """(size,): the diagonal, first of bots, then of seats."""
    one: Ints
    """(L,): the lower bot of each pair of bots with an entry outside the diagonal; sorted."""
    other: Ints
    """(L,): the higher bot of each pair."""
    strength: Floats
    """(L,): minus the entry of each pair."""
    border: Floats
    """(bots, seats): the entries between bots and seats."""
    seats: Floats
    """(seats, seats): the entries between seats, without the diagonal."""

    def times(self, v: Floats) -> Floats:
        """Return the matrix times a vector (size,)."""
        bots, seats = v[: len(self.border)], v[len(self.border) :]
        product = self.diagonal * v
        top = product[: len(bots)]
        top -= np.bincount(self.one, self.strength * bots[self.other], minlength=len(bots))
        top -= np.bincount(self.other, self.strength * bots[self.one], minlength=len(bots))
        top += self.border @ seats
        product[len(bots) :] += bots @ self.border + self.seats @ seats
        return product

    def dense(self) -> Floats:
        """Return the whole matrix (size, size)."""
        bots = len(self.border)
        matrix = np.diag(self.diagonal)
        matrix[self.one, self.other] = matrix[self.other, self.one] = -self.strength
        matrix[:bots, bots:], matrix[bots:, :bots] = self.border, self.border.T
        matrix[bots:, bots:] += self.seats
        return matrix


class Ties:
    """Which bots are tied to which by the terms of a posterior: the pattern of its curvature, found once."""

    def __init__(self, terms: Sequence[Term], bots: int) -> None:
        """Find the pairs of bots that the terms connect; bots are numbered from 0."""
        self.terms, self.bots = terms, bots
        ends = [np.sort(term.entrants.bots[list(pair)], axis=0) for term in terms for pair in term.pairs]
        one, other = np.concatenate(ends, axis=1)
        key = one * bots + other
        self.order = np.argsort(key)
        """The order of all weights that puts those of one pair of bots next to each other."""
        key = key[self.order]
        self.first = np.flatnonzero(np.diff(key, prepend=-1))
        self.one, self.other = np.divmod(key[self.first], max(bots, 1))

    def curvature(self, weights: Sequence[Sequence[Floats]], precision: Floats) -> Curvature:
        """Return the curvature, given the weights of the terms' pairs and the precision (size,) of the prior."""
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
        all_weights = np.concatenate([weight for of_term in weights for weight in of_term])
        sums = np.add.reduceat(all_weights[self.order], self.first) if len(self.first) else all_weights
        return Curvature(diagonal, self.one, self.other, sums, border.T, corner)


class Posterior:
    """The log posterior of a set of results."""

    def __init__(self, bots: int, tables: Sequence[Orders], prior: Prior) -> None:
        """Take results and prior; bots are numbered from 0."""
        self.size = bots
        self.seats_from: dict[int, int] = {}
        """The index of the parameter of seat 0 for each number of players."""
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
        """Return the log posterior (up to a constant), its gradient (size,), and minus its second derivative."""
        slopes = [term.at(x) for term in self.terms]
        off = x - self.mean
        value = sum((part.value for part in slopes), start=float(-0.5 * self.precision @ off**2))
        gradient = sum((part.gradient for part in slopes), start=-self.precision * off)
        curvature = self.ties.curvature([part.weights for part in slopes], self.precision)
        return value, np.asarray(gradient), curvature
