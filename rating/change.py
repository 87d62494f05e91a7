"""Estimates by how much one result changes ratings; boards do not use this but a fit of all results at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rating.model import Q, finishes
from rating.orders import Floats, orders_of, results_collect


def changes(*, rating: Floats, se: Floats, ranks: Sequence[int]) -> Floats:
    """Return about how much a match adds to the rating of each of its m players, (m,) in Elo points.

    It is one step of Newton's method for each rating alone, from the ratings before the match: the slope of the
    result's log-likelihood times the variance after it. For two players this is Q se**2 (S - E), where S is the score
    and E the expected score. Seat advantages, and effects on the players' other opponents, are left out.

    Args:
        rating: (m,), in seat order, before the match.
        se: (m,), standard errors after the match.
        ranks: (m,), in seat order; 1 is best, equal ranks are ties.
    """
    players = len(ranks)
    orders = orders_of(results_collect([(range(players), ranks)]), bots=players, seated=False)
    x = Q * np.asarray(rating)
    slope = sum((term.at(x).gradient for term in finishes(orders, {players: players})), start=np.zeros(players))
    moved: Floats = Q * np.asarray(se) ** 2 * slope
    return moved
