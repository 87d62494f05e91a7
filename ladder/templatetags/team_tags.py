"""Tags for what pages of teams show of bots."""

from __future__ import annotations

from django import template
from django.template import Context

from accounts.models import User
from contests.models import Contest, Team
from ladder.models import Bot
from ladder.selectors import profiles
from ladder.selectors.quotas import contest_bots_max

register = template.Library()


@register.simple_tag(takes_context=True)
def team_bots(context: Context, team: Team) -> list[profiles.ProfileBot]:
    """Return the bots of a team that the reader may see."""
    return profiles.team_bots(team=team, reader=context["user"])


@register.simple_tag(takes_context=True)
def bots_alone(context: Context, contest: Contest) -> list[Bot]:
    """Return the bots of a contest that a team would get of the reader; none of a guest."""
    user = context["user"]
    return profiles.bots_alone(contest=contest.slug, user=user) if isinstance(user, User) else []


register.filter("bots_max", lambda contest: contest_bots_max(contest=contest))
