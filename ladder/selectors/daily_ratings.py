"""Reads the ratings of bots day by day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from ladder.models import DailyRating


def daily_ratings_of(*, bots: Iterable[int]) -> dict[int, list[tuple[date, int]]]:
    """Return the stored days of bots with their ratings, the oldest first, by the keys of the bots (1 query)."""
    days: dict[int, list[tuple[date, int]]] = defaultdict(list)
    rows = DailyRating.objects.filter(bot__in=list(bots)).order_by("bot", "day")
    for bot, day, rating in rows.values_list("bot", "day", "rating"):
        days[bot].append((day, rating))
    return days
