"""Gives out the honours of a contest whose final board was signed, and notifies its participants."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from common.queries.cached import cached_changed
from contests.models import Contest
from ladder.models import BotVersion, Honour, Rating
from ladder.news import CONTEST_OVER
from ladder.selectors.honours import HONOURED_MAX
from ladder.services.notifications import BotNews, notifications_create


def honours_set(*, contest: Contest) -> None:
    """Write the honours of a contest by its board, in place of those of a board before it (3 queries)."""
    Honour.objects.filter(contest=contest).delete()
    best = _placed(contest)[:HONOURED_MAX].values_list("version__bot", flat=True)
    Honour.objects.bulk_create(
        Honour(contest=contest, bot_id=bot, place=place) for place, bot in enumerate(best, start=1)
    )
    cached_changed()


def honours_drop(*, contest: str, **_signal: Any) -> None:
    """Delete the honours of a contest that goes on; a receiver of ``contest_unfrozen``."""
    Honour.objects.filter(contest=contest).delete()


def contest_over_notify(*, contest: Contest) -> None:
    """Notify the owners of all bots of a contest that it is over, and where their bots came among those of people.

    As many queries for a thousand bots as for one: a board is signed in the same transaction.
    """
    places = {bot: place for place, bot in enumerate(_placed(contest).values_list("version__bot", flat=True), start=1)}
    on_board = BotVersion.objects.filter(bot__contest=contest, bot__is_house=False, state__in=BotVersion.ON_BOARD)
    versions = list(on_board.select_related("bot").defer("log").order_by("pk"))
    ended = contest.frozen_at.isoformat() if contest.frozen_at else ""
    notifications_create(
        kind=CONTEST_OVER,
        news=[
            BotNews(
                version.bot,
                f"bot {version.bot_id} {ended}",
                {
                    "contest": str(contest),
                    "contest_place": contest.place,
                    "number": version.number,
                    "place": places.get(version.bot_id, 0),
                    "entrants": len(versions),
                    "outcome": "" if version.bot_id in places else "unplaced",
                },
            )
            for version in versions
        ],
    )


def _placed(contest: Contest) -> QuerySet[Rating]:
    """Return the ratings of the bots of people that are on the board and have played, the best first."""
    rows = Rating.objects.filter(contest=contest, listed=True, games__gt=0, version__bot__is_house=False)
    return rows.filter(version__state__in=BotVersion.ON_BOARD).order_by("-rating", "version")
