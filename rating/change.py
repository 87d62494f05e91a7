"""By how much one result moves ratings, about: the board itself is fitted from all results at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rating.model import Q, finishes
from rating.orders import Floats, orders_of, results_collect


def changes(*, rating: Floats, se: Floats, ranks: Sequence[int]) -> Floats:
    """Return what a match adds to the rating of each of its m players, in Elo points.

    One step of Newton's method along each rating by itself, from where the players stood before: the slope of the
    result's log-likelihood times the variance after it. Of two players this is Q se**2 (S - E), S the score and E the
    expected one. It passes over advantages of seats, and over what the result tells of those whom the two have met.

    Args:
        rating: (m,), in seat order, before the match.
        se: (m,), standard errors after it.
        ranks: of the seats; 1 is best, equal ranks are ties.
    """
    players = len(ranks)
    orders = orders_of(results_collect([(range(players), ranks)]), bots=players, seated=False)
    x = Q * np.asarray(rating)
    slope = sum((term.at(x).gradient for term in finishes(orders, {players: players})), start=np.zeros(players))
    moved: Floats = Q * np.asarray(se) ** 2 * slope
    return moved
