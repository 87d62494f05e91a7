"""Reads who follows whom, and what followed bots did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.access import Reader
from accounts.models import User
from contests.models import Contest, Member, TeamMember
from contests.selectors.visibility import seen_by, shown_to
from ladder.models import Bot, BotEvent, Follow
from ladder.news import LEADER
from ladder.selectors.bots import own_condition


class EventFollower(NamedTuple):
    """Somebody who follows the bot of an event, or one of its owners."""

    event: int
    """Key of the event."""
    follow: int
    """Key of the ``Follow``."""
    follower: int
    """Key of the user."""


def follows_of(*, follower: User) -> QuerySet[Follow]:
    """Return what a user follows, the newest first: people, and the bots that the user may see."""
    seen = Q(bot=None) | seen_by(follower, at="bot__contest")
    return Follow.objects.filter(seen, follower=follower).select_related("bot__contest", "person").order_by("-pk")


def person_is_followed(*, follower: User, person: User) -> bool:
    """Return whether a user follows a person (1 query)."""
    return Follow.objects.filter(follower=follower, person=person).exists()


def events_followed(*, follower: User) -> QuerySet[BotEvent]:
    """Return what the bots that a user follows did, and those of followed people, the newest first.

    The keys of these bots are read at once (1 query). Bots of a contest that is not public are among them if the user
    follows them themselves or is in the contest.
    """
    mine = Follow.objects.filter(follower=follower)
    persons = mine.filter(person__isnull=False).values("person")
    teams = TeamMember.objects.filter(user__in=persons).values("team")
    of_persons = Q(owner__in=persons, team__isnull=True) | Q(team__in=teams)
    of_bots = Q(pk__in=mine.filter(bot__isnull=False).values("bot"))
    found = Bot.objects.filter((of_bots & seen_by(follower)) | (of_persons & shown_to(follower)))
    return _events_of(found)


def events_of_bot(*, bot: Bot) -> QuerySet[BotEvent]:
    """Return what a bot did, the newest first."""
    return _events().filter(bot=bot)


def events_of_person(*, person: User, reader: Reader) -> QuerySet[BotEvent]:
    """Return what a person's bots did in contests that lists show to a reader, the newest first.

    The keys of these bots are read at once (1 query).
    """
    return _events_of(Bot.objects.filter(own_condition(reader=person), shown_to(reader)))


def leaders_of(*, contest: Contest) -> QuerySet[BotEvent]:
    """Return the events of bots that took the first place of a contest, the newest first."""
    return _events().filter(bot__contest=contest, kind=LEADER.name)


def _events_of(bots: QuerySet[Bot]) -> QuerySet[BotEvent]:
    # By a list of keys, for which the database uses the index: with a subquery it may look at the events of all bots.
    return _events().filter(bot__in=list(bots.values_list("pk", flat=True)))


def _events() -> QuerySet[BotEvent]:
    return BotEvent.objects.select_related("bot__contest").defer("bot__contest__description").order_by("-pk")


def event_followers(*, events: Sequence[int], limit: int) -> list[EventFollower]:
    """Return the followers of some events whose keys are beyond ``followers_after``, by event and follow (1 query).

    Those who may not see the bot's contest any more are left out. Followers of a person learn of contests that are not
    public only if they are members of these, since no list names them to others. ``limit`` is the most rows.
    """
    asked = BotEvent.objects.filter(pk__in=events).order_by()
    direct = _followers(asked, "bot__followed_by", Contest.Visibility.PUBLIC, Contest.Visibility.UNLISTED)
    alone = _followers(asked.filter(bot__team=None), "bot__owner__followed_by", Contest.Visibility.PUBLIC)
    teams = _followers(asked, "bot__team__members__user__followed_by", Contest.Visibility.PUBLIC)
    rows: QuerySet[Any, tuple[Any, ...]] = direct.union(alone, teams, all=True)
    return [EventFollower(*row) for row in rows.order_by("pk", "follow")[:limit]]


def _followers(
    events: QuerySet[BotEvent], follows: str, *visibilities: Contest.Visibility
) -> QuerySet[BotEvent, tuple[Any, ...]]:
    """Return event, follow and follower of each follow to which the path ``follows`` leads from the events.

    The contest has one of these visibilities, or the follower is its member.
    """
    rows = events.annotate(follow=F(f"{follows}__pk"), reader=F(f"{follows}__follower"))
    member = Member.objects.filter(contest=OuterRef("bot__contest"), user=OuterRef("reader"))
    told = Q(bot__contest__visibility__in=visibilities) | Exists(member)
    return rows.filter(told, follow__gt=F("followers_after")).values_list("pk", "follow", "reader")
