"""Leagues: the bots of a game divided by rating, with a house bot, the boss, at each border. For show and filters only.

As soon as a bot has a rank, its rating places it: above every boss whose rating is lower. From there it rises when its
whole interval lies above the boss of the next league, and falls when its whole interval lies below the boss of its own:
between those two a rating has to move by the width of an interval, so that nobody goes up and down with every match. An
interval of more than ± 100 counts as ± 100, because a bot that beats everybody may keep a wide one for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from django.utils.translation import gettext_noop

NAMES = (gettext_noop("Jonokuchi"), gettext_noop("Makushita"), gettext_noop("Juryo"), gettext_noop("Makuuchi"))
"""Of the lowest league to the highest; divisions of sumo. Pages show them in their readers' languages."""
BOSSES_MAX = len(NAMES) - 1
MARGIN_MAX = 100.0
"""Elo points: as wide as this, at most, the interval counts that moves a bot."""

BotT = TypeVar("BotT")


def bosses_choose(declared: Mapping[BotT, float]) -> list[BotT]:
    """Choose the bosses among a game's house bots: the weakest, the strongest, and the rest evenly between.

    Args:
        declared: declared rating of each house bot, Elo points.

    Returns:
        The bosses, the weakest first; all house bots while there are few.
    """
    ladder = sorted(declared, key=lambda bot: declared[bot])
    if len(ladder) <= BOSSES_MAX:
        return ladder
    return [ladder[round(i * (len(ladder) - 1) / (BOSSES_MAX - 1))] for i in range(BOSSES_MAX)]


def league_placed(*, rating: float, borders: Sequence[float]) -> int:
    """Return the league of a bot that is placed by its rating (arguments: see ``league_moved``)."""
    return sum(border < rating for border in borders)


def league_moved(*, current: int, rating: float, interval: float, borders: Sequence[float]) -> int:
    """Return the league of a bot that is promoted or demoted by its interval.

    Args:
        current: the league it is in.
        rating: Elo points.
        interval: half the width of its interval, Elo points.
        borders: ratings of the bosses, ascending; the boss of league k is ``borders[k - 1]``.

    Returns:
        0 .. ``len(borders)``.
    """
    margin = min(interval, MARGIN_MAX)
    reached = sum(border < rating - margin for border in borders)
    kept = sum(border <= rating + margin for border in borders)
    return min(max(current, reached), kept)


def league_name(league: int | None) -> str:
    """Return a league's name; empty for a bot that has not been placed yet."""
    return "" if league is None else NAMES[league]
