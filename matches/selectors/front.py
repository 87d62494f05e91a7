"""Queries for the front page: a match to watch, matches a minute, and the newest bots."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from contests.selectors.visibility import shown_to
from ladder.models import Bot, BotVersion
from matches.models import Match

COUNTED = timedelta(minutes=10)
"""Matches a minute are counted over this time."""
_CHOSEN_FROM = 40
"""When no match is being played, one of the newest is shown, drawn from this many."""


@dataclass(frozen=True, slots=True)
class Front:
    """What the front page shows of matches and bots."""

    match: Match | None
    """The best match that is being played, or else ``ended``; None in an arena without matches."""
    ended: Match | None
    """The best of the newest matches; previews of links to the front page have its picture."""
    matches_a_minute: float
    new_bots: list[Bot]


def front_page(*, new_bots: int) -> Front:
    """Return what the front page shows of matches, and the ``new_bots`` newest bots (at most 5 queries)."""
    told = Match.objects.told_to(None).filter(shown_to(None)).exclude(kind=Match.Kind.EXHIBITION)
    ended = told.filter(state=Match.State.FINISHED, finished_at__gte=timezone.now() - COUNTED)
    bots = Bot.objects.filter(shown_to(None), is_house=False, versions__state=BotVersion.State.ACTIVE).distinct()
    best = _match_of_the_best()
    return Front(
        match=_best_first(_being_played().filter(shown_to(None))).first() or best,
        ended=best,
        matches_a_minute=ended.count() / (COUNTED.total_seconds() / 60),
        new_bots=list(bots.select_related("owner", "team").order_by("-created_at")[:new_bots]),
    )


def match_to_show(*, contest: str, after: int) -> Match | None:
    """Return the next match for a visitor who watches one after the other (at most 3 queries).

    It is being played, or else one of the newest at random; None if there is none.

    Args:
        contest: only of the contest with this key, which guests may see; empty: of any that is public.
        after: key of the match that was shown last, which is shown again only if there is no other; 0: none.
    """
    of_contest = Q(contest=contest) if contest else shown_to(None)
    if running := _being_played().filter(of_contest).exclude(pk=after).first():
        return running
    newest = list(_watchable().filter(of_contest).order_by("-id")[:_CHOSEN_FROM])
    others = [match for match in newest if match.pk != after]
    return secrets.choice(others or newest) if newest else None


def _being_played() -> QuerySet[Match]:
    return Match.objects.filter(kind=Match.Kind.LADDER, state=Match.State.RUNNING).order_by("-id")


def _watchable() -> QuerySet[Match]:
    """Return the rated matches whose replays are kept."""
    return Match.objects.rated().exclude(result__replay_digest="")


def _match_of_the_best() -> Match | None:
    """Return the one of the newest matches whose weakest version has the highest rating."""
    newest = _watchable().filter(shown_to(None)).order_by("-id").values_list("pk", flat=True)[:_CHOSEN_FROM]
    # A list, since a subquery with a limit may be computed for each row.
    return _best_first(Match.objects.filter(pk__in=list(newest))).first()


def _best_first(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Return matches by the rating of their weakest version, the best first."""
    rated = matches.annotate(weakest=Min("seats__version__rating__rating"))
    return rated.order_by(F("weakest").desc(nulls_last=True), "-id")
