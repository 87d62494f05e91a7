"""Ratings as a pure function of the set of results of matches.

The ratings depend neither on the order in which results come in nor on when they are computed, so they do not drift.
``fit`` is the function; ``python -m rating`` computes the same ratings from a downloaded match log.
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
