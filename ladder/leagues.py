"""Leagues divide the bots of a game by rating. They are shown and filtered by; nothing else depends on them.

A house bot stands at each border as the league gate; pages call it the boss of the league above. When a bot gets its
first rank, it is placed above every gate whose rating is lower. After that it is promoted when its whole interval lies
above the gate of the next league, and demoted when its whole interval lies below the gate of its own league. So a
rating has to move by the width of an interval between a promotion and a demotion, and no bot moves with every match. An
interval wider than ± 100 counts as ± 100, because a bot that wins every match may keep a wide interval for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from django.utils.translation import gettext_noop

NAMES = (gettext_noop("Jonokuchi"), gettext_noop("Makushita"), gettext_noop("Juryo"), gettext_noop("Makuuchi"))
"""Names of the leagues, the lowest first (divisions of sumo). Pages translate them."""
GATES_MAX = len(NAMES) - 1
MARGIN_MAX = 100.0
"""Elo points: a wider interval counts as this when a bot is promoted or demoted."""

BotT = TypeVar("BotT")


def league_gates_choose(declared: Mapping[BotT, float]) -> list[BotT]:
    """Choose the league gates among a game's house bots: the weakest, the strongest, and the rest evenly between.

    Args:
        declared: declared rating of each house bot, Elo points.

    Returns:
        The gates, the weakest first; all house bots if there are at most ``GATES_MAX``.
    """
    ladder = sorted(declared, key=lambda bot: declared[bot])
    if len(ladder) <= GATES_MAX:
        return ladder
    return [ladder[round(i * (len(ladder) - 1) / (GATES_MAX - 1))] for i in range(GATES_MAX)]


def league_placed(*, rating: float, borders: Sequence[float]) -> int:
    """Return the first league of a bot, by its rating alone (arguments: see ``league_moved``)."""
    return sum(border < rating for border in borders)


def league_moved(*, current: int, rating: float, interval: float, borders: Sequence[float]) -> int:
    """Return the league of a bot after its promotion or demotion, if its interval causes one.

    Args:
        current: the league that the bot is in.
        rating: its rating, Elo points.
        interval: half the width of its interval, Elo points.
        borders: ratings of the league gates, ascending; ``borders[k - 1]`` is the gate of league k.

    Returns:
        The index of a league, 0 to ``len(borders)``.
    """
    margin = min(interval, MARGIN_MAX)
    reached = sum(border < rating - margin for border in borders)
    held = sum(border <= rating + margin for border in borders)
    return min(max(current, reached), held)


def league_name(league: int | None) -> str:
    """Return the name of a league; empty for None, a bot that is in no league yet."""
    return "" if league is None else NAMES[league]
