"""Tags that read bots and announcements for the desks of contests, and bots for the pages of teams."""

from __future__ import annotations

from typing import Any

from django import template
from django.db.models import QuerySet
from django.template import Context

from accounts.models import User
from contests.models import Contest, Team
from ladder.forms import ContestAnnouncementForm
from ladder.models import Announcement, Bot
from ladder.selectors import profiles
from ladder.selectors.desk import BOTS_SHOWN, desk_announcements, desk_bots
from ladder.selectors.quotas import contest_bots_max

register = template.Library()


@register.simple_tag(takes_context=True)
def contest_bots(context: Context, contest: Contest) -> dict[str, Any]:
    """Return the bots of a contest whose names contain ``?bot=``, and whether there are more (1 query)."""
    name = context["request"].GET.get("bot", "").replace("\0", "")[:40]
    bots = list(desk_bots(contest=contest.slug, name=name)[: BOTS_SHOWN + 1])
    return {"name": name, "bots": bots[:BOTS_SHOWN], "has_more": len(bots) > BOTS_SHOWN}


@register.simple_tag
def contest_announcements(contest: Contest) -> QuerySet[Announcement]:
    """Return all announcements of a contest, the newest first (1 query)."""
    return desk_announcements(contest=contest.slug)


@register.simple_tag(takes_context=True)
def announcement_form(context: Context) -> ContestAnnouncementForm:
    """Return an empty form of an announcement, or the refused one with what was typed."""
    return context.get("announcement_form") or ContestAnnouncementForm(label_suffix="")


@register.simple_tag(takes_context=True)
def team_bots(context: Context, team: Team) -> list[profiles.ProfileBot]:
    """Return the bots of a team that the reader may see."""
    return profiles.team_bots(team=team, reader=context["user"])


@register.simple_tag(takes_context=True)
def bots_alone(context: Context, contest: Contest) -> list[Bot]:
    """Return the reader's bots in a contest that no team has: a team that the reader joins gets them. [] for guests."""
    user = context["user"]
    return profiles.bots_alone(contest=contest.slug, user=user) if isinstance(user, User) else []


@register.filter
def bots_max(contest: Contest) -> int:
    """Return how many live bots a participant of a contest may have (no query)."""
    return contest_bots_max(contest=contest)
