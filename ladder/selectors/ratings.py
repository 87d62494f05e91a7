"""Reads the ratings of versions: their intervals, and whether they are still uncertain."""

from __future__ import annotations

from ladder.models import BotVersion, Rating
from rating.fit import PROVISIONAL_GAMES, interval, is_provisional


def rating_of(version: BotVersion) -> Rating | None:
    """Return a version's rating, or None before its first fit."""
    rating: Rating | None = getattr(version, "rating", None)
    return rating


def interval_of(rating: Rating) -> float:
    """Return half the width of a rating's interval, Elo points."""
    return interval(rating.standard_error)


def games_missing(rating: Rating | None) -> int:
    """Return how many more rated matches a version needs until its rating can be sure; None stands for no rating."""
    return max(PROVISIONAL_GAMES - (rating.games if rating else 0), 0)


def rating_provisional(rating: Rating) -> bool:
    """Return whether a rating is still uncertain: few matches, or a wide interval."""
    return is_provisional(rating.standard_error, rating.games)
