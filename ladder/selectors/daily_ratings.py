"""Reads the ratings of bots day by day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from common.queries.cached import cached_each
from ladder.models import DailyRating

Days = list[tuple[date, int]]


def daily_ratings_of(*, bots: Iterable[int]) -> dict[int, Days]:
    """Return the stored days of bots with their ratings, the oldest first, by the keys of the bots.

    1 query; none for bots that were read some seconds ago.
    """
    return cached_each(_read, bots)


def _read(bots: Sequence[int]) -> dict[int, Days]:
    days: dict[int, Days] = defaultdict(list)
    rows = DailyRating.objects.filter(bot__in=bots).order_by("bot", "day")
    for bot, day, rating in rows.values_list("bot", "day", "rating"):
        days[bot].append((day, rating))
    return days
