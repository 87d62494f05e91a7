"""Queries for the pages of challenges."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet

from accounts.access import Reader
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import bots_own
from matches.models import Match


def challengers_of(*, owner: Reader, opponent: Bot) -> QuerySet[Bot]:
    """Return the active bots of an owner that can challenge another bot of their contest, by name."""
    own = bots_own(reader=owner).filter(contest=opponent.contest_id, versions__state=BotVersion.State.ACTIVE)
    if opponent.team_id:
        own = own.exclude(team=opponent.team_id)  # NULL for bots without a team
    return own.exclude(pk=opponent.pk).order_by("name_key")


def challenge_under_way(*, versions: Sequence[int]) -> list[Match]:
    """Return the matches of challenges between two versions, given by keys, that wait or run (1 query)."""
    waiting = Match.objects.filter(kind=Match.Kind.CHALLENGE, state__in=(Match.State.QUEUED, Match.State.RUNNING))
    for version in versions:
        waiting = waiting.filter(seats__version=version)
    return list(waiting.order_by("pk"))


def challenge_swapped(*, match: Match) -> Match | None:
    """Return the other match of a challenge, in which the seats are swapped (1 query); None for the other kinds."""
    if match.kind != Match.Kind.CHALLENGE:
        return None
    first, _ = match.seats.all()
    swapped = Match.objects.filter(encounter=match.encounter, seats__index=1, seats__version=first.version_id)
    # A void match is played again as one more match of the encounter: the newest counts.
    return swapped.order_by("pk").last()
