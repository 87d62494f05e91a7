"""The rating: a pure function of the set of results.

It depends neither on the order in which workers finish nor on when it is computed, and does not drift. ``fit`` is the
function; ``python -m rating`` computes the same at home from a match log.
"""

from rating.change import changes
from rating.fit import (
    INTERVAL_SDS,
    PROVISIONAL_GAMES,
    PROVISIONAL_INTERVAL,
    Fit,
    NoFit,
    expected_score,
    fit,
    has_rank,
    interval,
    is_provisional,
)
from rating.model import Prior
from rating.orders import Results, results_collect

__all__ = [
    "INTERVAL_SDS",
    "PROVISIONAL_GAMES",
    "PROVISIONAL_INTERVAL",
    "Fit",
    "NoFit",
    "Prior",
    "Results",
    "changes",
    "expected_score",
    "fit",
    "has_rank",
    "interval",
    "is_provisional",
    "results_collect",
]
