"""Reads what bots have won: the first places of contests, and what other apps add, such as those of tournaments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse

from accounts.access import Reader
from common.queries.cached import cached
from common.words.messages import game_title
from contests.models import Contest
from contests.selectors.visibility import shown_to
from ladder.models import Bot, BotVersion, Honour, Rating

HONOURED_MAX = 3
"""The last place that is named as won."""
HOUSE_MAX = 3
"""How many house bots stand beside the winners."""


@dataclass(frozen=True, slots=True)
class Won:
    """A place that a bot has won in a contest or tournament, as podiums and profiles show it."""

    place: int
    bot: Bot
    title: str
    """The title of the contest or tournament."""
    part_of: str
    """What the contest or tournament belongs to: the game of a contest, the contest of a tournament."""
    url: str
    """Where the row leads: on a profile to the contest or tournament, on a podium to the bot's part in it."""
    at: datetime | None
    """When the contest or tournament ended."""


_Source = Callable[[Sequence[Bot], Reader], list[Won]]
_SOURCES: list[_Source] = []


def honours_register(source: _Source) -> None:
    """Add the honours of another app to profiles: a function of bots and reader, which returns what they have won."""
    _SOURCES.append(source)


def honours_of(*, bots: Sequence[Bot], reader: Reader) -> list[Won]:
    """Return the places that bots have won, in contests that lists show to a reader, the newest first."""
    if not bots:
        return []
    found = [won for source in (_contests_won, *_SOURCES) for won in source(bots, reader)]
    return sorted(found, key=lambda won: (won.at is None, -won.at.timestamp() if won.at else 0, won.place))


def contest_podium(*, contest: Contest) -> list[Won]:
    """Return the first places of a contest that is over, as its page shows them (1 query); empty before its end."""
    if contest.final_stage != Contest.FinalStage.SIGNED:
        return []
    rows = Honour.objects.filter(contest=contest).select_related("bot__owner", "bot__team").order_by("place")
    return [_won(row, contest, reverse("ladder:bot", args=[row.bot_id])) for row in rows]


def contest_house_best(*, contest: Contest) -> list[Rating]:
    """Return the ratings of the ``HOUSE_MAX`` best house bots of a contest that is over (1 query at most).

    Empty before its end, and for a contest whose page does not name them.
    """
    if contest.final_stage != Contest.FinalStage.SIGNED or not contest.names_house_bots:
        return []
    rows = Rating.objects.filter(contest=contest, listed=True, version__bot__is_house=True, rank__isnull=False)
    rows = rows.filter(version__state__in=BotVersion.ON_BOARD).select_related("version__bot").defer("version__log")
    return list(rows.order_by("rank")[:HOUSE_MAX])


def contest_winner(*, contest: Contest) -> Bot | None:
    """Return the bot that has won a contest that is over; None without one (cached)."""
    return cached(_winners).get(contest.pk)


def _winners() -> Mapping[str, Bot]:
    first = Honour.objects.filter(place=1).select_related("bot__owner", "bot__team")
    return {row.contest_id: row.bot for row in first}


def _contests_won(bots: Sequence[Bot], reader: Reader) -> list[Won]:
    rows = Honour.objects.filter(shown_to(reader, at="contest"), bot__in=bots).select_related("bot", "contest")
    return [_won(row, row.contest, reverse("ladder:board", args=[row.contest])) for row in rows]


def _won(row: Honour, contest: Contest, url: str) -> Won:
    return Won(row.place, row.bot, str(contest), str(game_title(contest.game)), url, contest.frozen_at)
