"""Leagues divide the board of a contest into stretches. They are shown and filtered by; nothing else depends on them.

A house bot stands at each border as the league gate; pages call it the boss of the league above. Leagues follow the
order of the board: no bot is in a lower league than one that stands below it. A bot enters its first league when its
rating is sure enough to stay (``league_is_sure``). After that it is promoted when its whole interval lies above the
gate of the next league, and demoted when its whole interval lies below the gate of its own league. Between the two
the border runs where it moves the fewest bots, so that no bot moves with every match. An interval wider than ± 100
counts as ± 100, because a bot that wins every match may keep a wide interval for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeVar

from django.utils.translation import gettext_noop

from rating.fit import PROVISIONAL_GAMES

NAMES = (gettext_noop("Jonokuchi"), gettext_noop("Makushita"), gettext_noop("Juryo"), gettext_noop("Makuuchi"))
"""Names of the leagues, the lowest first (divisions of sumo). Pages translate them."""
GATES_MAX = len(NAMES) - 1
BOTS_MIN = 20
"""A board with fewer bots has no leagues."""
SURE_INTERVAL = 50.0
"""Elo points: a rating whose interval is at most ± this is sure, wherever it lies."""
MARGIN_MAX = 100.0
"""Elo points: a wider interval counts as this."""

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


class Ranked(NamedTuple):
    """A bot with a rank."""

    rating: float
    """Elo points."""
    interval: float
    """Half the width of its interval, Elo points."""
    league: int | None
    """The league that it is in; None for a bot in none, and for a gate: borders move past these without regard."""

    @property
    def margin(self) -> float:
        """Elo points by which the rating has to differ from that of a gate to be surely above or below it."""
        return min(self.interval, MARGIN_MAX)


def league_is_sure(*, bot: Ranked, games: int, borders: Sequence[float]) -> bool:
    """Return whether a bot may enter its first league: after enough matches, once its rating is sure enough.

    Its interval must be narrow, or contain no border. ``games`` is the number of its rated matches; ``borders`` are the
    ratings of the league gates.
    """
    is_open = any(abs(border - bot.rating) <= bot.margin for border in borders)
    return games >= PROVISIONAL_GAMES and (bot.interval <= SURE_INTERVAL or not is_open)


def leagues_of(*, bots: Sequence[Ranked], borders: Sequence[float]) -> list[int]:
    """Return the league of each bot.

    Args:
        bots: the bots of a board that are in a league or may enter one, and the gates; the best first.
        borders: ratings of the league gates, ascending; ``borders[k - 1]`` is the gate of league k.

    Returns:
        For each bot the index of a league, 0 to ``len(borders)``; it never rises from one bot to the next.
    """
    sizes = [_bots_above(bots, league, border) for league, border in enumerate(borders, start=1)]
    return [sum(place < size for size in sizes) for place in range(len(bots))]


def _bots_above(bots: Sequence[Ranked], league: int, border: float) -> int:
    """Return how many of the best bots belong to a league or a higher one.

    All that stand surely above the gate belong to it, none that stands surely below. Of the numbers that are left, the
    one is taken for which the fewest bots change their league, and of equal ones the nearest to the gate's own place.
    """
    least = max((place + 1 for place, bot in enumerate(bots) if bot.rating - bot.margin > border), default=0)
    most = min((place for place, bot in enumerate(bots) if bot.rating + bot.margin < border), default=len(bots))
    gate = sum(bot.rating > border for bot in bots)
    taken_in = ((bot.league is not None) * (-1 if (bot.league or 0) >= league else 1) for bot in bots[least:most])
    costs = enumerate(accumulate(taken_in, initial=0), start=least)
    return min(costs, key=lambda found: (found[1], abs(found[0] - gate)))[0]


def league_name(league: int | None) -> str:
    """Return the name of a league; empty for None, a bot that is in no league yet."""
    return "" if league is None else NAMES[league]
