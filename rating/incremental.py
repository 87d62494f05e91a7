"""New results on top of a full fit, in a fraction of its time: for what must be told before the next full fit.

Near its top the log posterior is a parabola. So a million results are kept as one: where its top is, with slope and
curvature there. Only new results are evaluated as they are, and again the old ones of bots and seats that these move
far, where the parabola ends. Ratings come out as of a full fit within its own tolerance (``STEP_END``) and standard
errors within one in a hundred, but not to the last bit: the board is always a full fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from rating.fit import DENSE_MAX, Fit, Top, climb, fit_at, top_of
from rating.model import Curvature, Posterior, Prior, Q, Ties, finishes
from rating.orders import Floats, Orders, Results, orders_of

FAR = 5.0
"""Elo points: the old results of a bot or a seat that moves by more are evaluated anew. By the third derivative of the
logistic function one that moves by d is misplaced by Q d^2 / 2 at the most, all its opponents hopeless: 0.07 at
this."""


class Running:
    """A full fit, and how it would be with more results."""

    def __init__(
        self,
        bots: int,
        tables: Sequence[Orders],
        prior: Prior,
        *,
        anchors: Mapping[int, float] | None = None,
        dense_max: int = DENSE_MAX,
    ) -> None:
        """Fit the weighted orders of all results so far (see ``rating.fit.fit``)."""
        self.bots, self.tables, self.seated = bots, tables, prior.seat_sd is not None
        self.anchors, self.dense_max = anchors or {}, dense_max
        self.posterior = Posterior(bots, tables, prior)
        self.top = top_of(self.posterior, bots, None, dense_max)
        self.fit = self._fit(self.top)

    def with_more(self, results: Iterable[Results]) -> Fit:
        """Return the fit with these results too: all that came in since the full fit, for nothing is kept of them.

        Raises:
            ValueError: a match that cannot be (see ``orders_of``), or the first with so many players.
        """
        news = orders_of(results, bots=self.bots, seated=self.seated)
        if not news:
            return self.fit
        if first := {len(orders.players) for orders in news} - self.posterior.seats_from.keys():
            raise ValueError(f"The first match of {min(first)} players needs a full fit.")
        top = climb(Parabola(self.top, self.posterior, [], news), self.top.x, self.dense_max)
        far = np.abs(top.x - self.top.x) > Q * FAR
        if far.any():
            again = [_of(table, far, self.posterior.seats_from[len(table.players)]) for table in self.tables]
            top = climb(Parabola(self.top, self.posterior, again, news), top.x, self.dense_max)
        return self._fit(top)

    def _fit(self, top: Top) -> Fit:
        return fit_at(top, self.bots, self.anchors, self.dense_max)


class Parabola:
    """The log posterior of many old results and some new ones, where most of the old ones are a parabola."""

    def __init__(self, top: Top, posterior: Posterior, again: Sequence[Orders], news: Sequence[Orders]) -> None:
        """Set it up.

        Args:
            top: of the posterior.
            posterior: of the old results.
            again: those old results that are evaluated as they are.
            news: the new ones.
        """
        self.top = top
        old, new = (finishes(tables, posterior.seats_from) for tables in (again, news))
        self.terms = [*old, *new]
        self.ties = Ties(self.terms, posterior.ties.bots)
        self._find_places()
        known = [term.at(top.x) for term in old]
        self.known = [part.weights for part in known]
        self.known += [[np.zeros_like(term.counts) for _ in term.pairs] for term in new]
        self.taken_out = self._curvature(self.known)
        """Of the old results that are evaluated as they are, from the parabola."""
        self.slope = top.gradient - sum((part.gradient for part in known), start=np.zeros_like(top.x))

    def at(self, x: Floats) -> tuple[float, Floats, Curvature]:
        """Return its logarithm but for a constant, its gradient (size,), and minus its second derivative."""
        step = x - self.top.x
        fall = self.top.curvature.times(step) - self.taken_out.times(step)
        slopes = [term.at(x) for term in self.terms]
        value = sum((part.value for part in slopes), start=float((self.slope - fall / 2) @ step))
        gradient = sum((part.gradient for part in slopes), start=self.slope - fall)
        more = [
            [now - before for now, before in zip(part.weights, known, strict=True)]
            for part, known in zip(slopes, self.known, strict=True)
        ]
        return value, np.asarray(gradient), self._with(self._curvature(more))

    def _find_places(self) -> None:
        """Find where the ties of the terms are among those of the parabola; who is not tied there comes after them."""
        known = self.top.curvature
        keys, key = (ties.one * self.ties.bots + ties.other for ties in (known, self.ties))
        self.places = np.searchsorted(keys, key)
        new = np.append(keys, -1)[self.places] != key
        self.places[new] = len(keys) + np.arange(new.sum())
        self.one = np.append(known.one, self.ties.one[new])
        self.other = np.append(known.other, self.ties.other[new])

    def _with(self, more: Curvature) -> Curvature:
        """Return the parabola's curvature with that of the terms."""
        known = self.top.curvature
        strength = np.append(known.strength, np.zeros(len(self.one) - len(known.one)))
        strength[self.places] += more.strength
        border, seats = known.border + more.border, known.seats + more.seats
        return Curvature(known.diagonal + more.diagonal, self.one, self.other, strength, border, seats)

    def _curvature(self, weights: Sequence[Sequence[Floats]]) -> Curvature:
        return self.ties.curvature(weights, np.zeros_like(self.top.x))


def _of(table: Orders, some: NDArray[np.bool_], seats_from: int) -> Orders:
    """Return the orders in which one of some bots or seats is; ``seats_from`` is the parameter of seat 0."""
    theirs = some[table.players].any(axis=0) | some[[seats_from + seat for seat in table.seats]].any()
    return Orders(table.players[:, theirs], table.seats, table.weights[theirs])
