"""Fits ratings: the most probable ones by Newton's method, with their standard errors, on the scale of the anchors.

The likelihood does not change when all ratings move together. The fit therefore shifts them all so that the mean rating
of the anchors (house bots that never change) is the mean of their declared ratings. A shift to a fixed mean of all
active bots would make ratings drift as better bots join.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rating.model import Curvature, Posterior, Prior, Q
from rating.orders import Floats, Orders, Results, orders_of

DENSE_MAX = 1_500
"""The largest number of parameters for which the equations are solved directly; above it, by conjugate gradients."""
STEP_MAX = 300.0
"""Elo points by which one step of the fit changes a rating at most."""
STEP_END = 0.1
"""The fit ends after a step that changes no rating by more than this (Elo points). Newton's method converges
quadratically, so the remaining error is much smaller."""
INTERVAL_SDS = 1.96
"""Half the 95 % interval of a normal distribution, in standard deviations."""
PROVISIONAL_INTERVAL = 100.0
"""Elo points: a version whose interval is wider than ± this is provisional."""
PROVISIONAL_GAMES = 20
"""A version with fewer rated matches than this is provisional, too."""
_STEPS_MAX = 200
_CG_PRECISION = 1e-2
"""Conjugate gradients end when the residual is this small relative to the right side."""


class NoFit(ValueError):  # noqa: N818 - says what it is
    """The results and the prior together do not determine the ratings. The text is a sentence for the user."""


@dataclass(frozen=True)
class Fit:
    """Ratings of bots 0 to n-1 in Elo points."""

    rating: Floats
    """(n,): Elo points."""
    se: Floats
    """(n,): standard errors after centring, without the common uncertainty of all ratings. Boards show these."""
    se_posterior: Floats
    """(n,): standard errors on the prior's scale, before centring."""
    seats: Floats
    """Advantages of seats 0 .. m-1, for each number m of players in turn; empty without seats."""


def fit(
    bots: int,
    results: Sequence[Results],
    prior: Prior | None = None,
    *,
    anchors: Mapping[int, float] | None = None,
    start: Floats | None = None,
    dense_max: int = DENSE_MAX,
) -> Fit:
    """Fit ratings to a set of results.

    Args:
        bots: n, the number of bots.
        results: every match once, in any order; one table for each number of players.
        prior: None: the prior of the ladder, without parents of versions.
        anchors: declared ratings of house bots, whose mean fixes the scale; None or empty: the scale of the prior.
        start: ratings (n,) to start from, such as those of the last fit. They change how long the fit takes, not its
            result (within ``STEP_END``).
        dense_max: see ``DENSE_MAX``.

    Raises:
        NoFit: a bot has no prior, and no chain of matches or parents connects it to a bot that has one.
        ValueError: a match is impossible (see ``orders_of``).
    """
    prior = prior or Prior()
    tables = orders_of(results, bots=bots, seated=prior.seat_sd is not None)
    return fit_orders(bots, tables, prior, anchors=anchors or {}, start=start, dense_max=dense_max)


def fit_orders(
    bots: int,
    tables: Sequence[Orders],
    prior: Prior,
    *,
    anchors: Mapping[int, float],
    start: Floats | None = None,
    dense_max: int = DENSE_MAX,
) -> Fit:
    """Fit ratings to weighted finishing orders; the other arguments are those of ``fit``.

    Raises:
        NoFit: a bot has no prior, and no chain of matches or parents connects it to a bot that has one.
    """
    posterior = Posterior(bots, tables, prior)
    grounded = posterior.precision > 0
    reached = -1
    while not grounded[:bots].all() and reached != (reached := int(grounded.sum())):
        for term in posterior.terms:
            tied = grounded[term.entrants.bots].any(axis=0)
            grounded[term.entrants.bots[:, tied]] = True
    if not grounded[:bots].all():
        raise NoFit(
            f"Bot {int(np.argmin(grounded[:bots]))} has no prior, and no match or parent ties it to one that has."
        )
    x = posterior.mean.copy()
    if start is not None:  # it is on the anchors' scale, and is moved to the prior's
        x[:bots] = Q * (start - start.mean()) + x[:bots].mean()
    x, curvature = _climb(posterior, x, dense_max)
    se_posterior, se = _standard_errors(curvature, bots, dense_max)
    rating = x[:bots] / Q
    if anchors:
        rating = rating + np.mean([declared - rating[bot] for bot, declared in sorted(anchors.items())])
    return Fit(rating, se / Q, se_posterior / Q, x[bots:] / Q)


def interval(se: float) -> float:
    """Return half the width of the 95 % interval: the number shown after ±."""
    return INTERVAL_SDS * se


def has_rank(games: int) -> bool:
    """Return whether a version has a rank: one rated match is enough, however uncertain the rating is."""
    return games > 0


def is_provisional(se: float, games: int) -> bool:
    """Return whether a rating is so uncertain that boards mark it as provisional."""
    return interval(se) > PROVISIONAL_INTERVAL or games < PROVISIONAL_GAMES


def expected_score(rating: float | Floats, opponent: float | Floats) -> Floats:
    """Return the chance of a win plus half the chance of a tie against an opponent, by Elo's formula."""
    return np.asarray(1 / (1 + np.exp(Q * (np.asarray(opponent) - np.asarray(rating)))))


def _climb(posterior: Posterior, x: Floats, dense_max: int) -> tuple[Floats, Curvature]:
    """Return the most probable parameters, by Newton's method from x, and the curvature there.

    Far from the maximum a full step can lead downhill. Each step is therefore cut to ``STEP_MAX``, and halved until it
    leads upwards.

    Raises:
        NoFit: the ratings did not settle.
    """
    value, gradient, curvature = posterior.at(x)
    for _ in range(_STEPS_MAX):
        if len(x) <= dense_max:
            step = np.asarray(np.linalg.solve(curvature.dense(), gradient))
        else:
            step = _conjugate_gradients(curvature, gradient)
        step *= min(1.0, Q * STEP_MAX / (np.abs(step).max(initial=0.0) or 1.0))
        before = value
        value, gradient, curvature = posterior.at(x + step)
        while (length := np.abs(step).max(initial=0.0)) >= Q * STEP_END and value < before:
            step /= 2
            value, gradient, curvature = posterior.at(x + step)
        x = x + step
        if length < Q * STEP_END:
            return x, curvature
    raise NoFit(f"The ratings did not settle in {_STEPS_MAX} steps.")


def _conjugate_gradients(curvature: Curvature, right: Floats) -> Floats:
    """Return x with curvature times x = right, by conjugate gradients with Jacobi's preconditioner.

    See Golub & Van Loan, "Matrix Computations", section 11.5.
    """
    diagonal = curvature.diagonal
    x, rest = np.zeros_like(right), right.copy()
    direction = scaled = rest / diagonal
    product = rest @ scaled
    end = product * _CG_PRECISION**2
    for _ in range(10 * len(right)):
        if product <= end:
            break
        image = curvature.times(direction)
        length = product / (direction @ image)
        x += length * direction
        rest -= length * image
        scaled = rest / diagonal
        product, before = rest @ scaled, product
        direction = scaled + product / before * direction
    return x


def _standard_errors(curvature: Curvature, bots: int, dense_max: int) -> tuple[Floats, Floats]:
    """Return standard errors before and after centring, (bots,) each, in nats.

    Centring subtracts the mean of all ratings: where the whole field lies on the prior's scale is very uncertain, but
    no match depends on it. Ratings are weighted by their precision in this mean. With equal weights, one upload without
    a match widened the intervals of six settled bots from ± 66 to ± 125, so that the whole board lost its ranks. The
    mean of the anchors would be a worse centre: how far a hopeless anchor lies below all others is very uncertain, and
    every interval would contain that uncertainty.
    """
    if len(curvature.diagonal) > dense_max:
        se = _standard_errors_by_stars(curvature, bots)
        return se, se
    covariance = np.linalg.inv(curvature.dense())[:bots, :bots]
    variance = covariance.diagonal()
    weights = 1 / variance / (1 / variance).sum()
    with_mean = covariance @ weights
    centred = variance - 2 * with_mean + with_mean @ weights
    return np.sqrt(variance), np.sqrt(np.maximum(centred, 0.0))


def _standard_errors_by_stars(curvature: Curvature, bots: int) -> Floats:
    """Return approximate standard errors (bots,) where the matrix is too large to invert.

    The error of each bot is computed from the bot and its opponents alone (a star in the graph of matches). This is
    exact if the opponents have no other opponents in common. What it leaves out (the common motion of all bots, which
    centring removes anyway, and loops of opponents) is below 1/n of the variance in a ladder without older versions.
    With older versions the errors come out too small: for 100 bots with 18 versions each, by 0.7 % in the median and 6
    to 8 % at most; for 30 bots with 60 versions each, by 2.5 % and 12 %.
    """
    one, other, strength, diagonal = curvature.one, curvature.other, curvature.strength, curvature.diagonal[:bots]
    by_opponents = np.bincount(one, strength**2 / diagonal[other], minlength=bots)
    by_opponents += np.bincount(other, strength**2 / diagonal[one], minlength=bots)
    return np.asarray(1 / np.sqrt(diagonal - by_opponents))
