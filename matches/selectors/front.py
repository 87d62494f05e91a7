"""What the front page shows of matches: one to watch, how many are played, who is new."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import F, Min, Q, QuerySet
from django.utils import timezone

from ladder.models import Bot, BotVersion
from matches.models import Match

COUNTED = timedelta(minutes=10)
"""Over which the pace is taken."""
_CHOSEN_FROM = 40
"""Newest matches; the best of them is shown when none is being played."""


@dataclass(frozen=True, slots=True)
class Front:
    """The living part of the front page."""

    match: Match | None
    """Being played, or just ended; None in an arena without matches."""
    matches_a_minute: float
    new_bots: list[Bot]


def front_page(*, new_bots: int) -> Front:
    """Return what the front page shows of matches (at most 5 queries).

    Args:
        new_bots: how many of the newest bots to name.
    """
    return Front(_being_played().first() or _match_of_the_best(), _matches_a_minute(), _newest_bots(new_bots))


def match_to_show(*, game: str, after: int) -> Match | None:
    """Return a match for those who watch one after the other (at most 3 queries).

    Args:
        game: of which; empty: of any.
        after: the one that they have just seen; it is shown again only where there is no other. 0: none.

    Returns:
        One that is being played, or any of the newest; None where there is none.
    """
    of_game = Q(game=game) if game else Q()
    if running := _being_played().filter(of_game).exclude(pk=after).first():
        return running
    newest = list(Match.objects.rated().filter(of_game).order_by("-id")[:_CHOSEN_FROM])
    others = [match for match in newest if match.pk != after]
    return secrets.choice(others or newest) if newest else None


def _being_played() -> QuerySet[Match]:
    return Match.objects.filter(kind=Match.Kind.LADDER, state=Match.State.RUNNING).order_by("-id")


def _match_of_the_best() -> Match | None:
    """Return, of the newest matches, the one whose weakest player is rated highest."""
    newest = Match.objects.rated().order_by("-id").values_list("pk", flat=True)[:_CHOSEN_FROM]
    # A list, since a subquery with a limit may be computed for each row.
    chosen = Match.objects.filter(pk__in=list(newest)).annotate(weakest=Min("seats__version__rating__rating"))
    return chosen.order_by(F("weakest").desc(nulls_last=True), "-id").first()


def _matches_a_minute() -> float:
    ended = Match.objects.filter(state=Match.State.FINISHED, finished_at__gte=timezone.now() - COUNTED)
    return ended.count() / (COUNTED.total_seconds() / 60)


def _newest_bots(limit: int) -> list[Bot]:
    with_versions = Bot.objects.filter(is_house=False, versions__state=BotVersion.State.ACTIVE).distinct()
    return list(with_versions.select_related("owner").order_by("-created_at")[:limit])
