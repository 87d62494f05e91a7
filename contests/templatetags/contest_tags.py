"""Tags and filters for pages that show contests."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.template import Context

from contests import dates
from contests.models import Contest
from contests.selectors.facts import contest_facts
from contests.selectors.pages import contests_exist

register = template.Library()

register.filter("stage", dates.stage_of)
register.filter("next_date", dates.next_date)
register.simple_tag(contest_facts)


@register.simple_tag(takes_context=True)
def contests_in_navigation(context: Context) -> bool:
    """Return whether the navigation is to have the list of contests: there are some, or the reader may make one."""
    user = context.get("user")
    return contests_exist() or bool(settings.CONTESTS_BY_USERS and user and user.is_authenticated)


@register.inclusion_tag("contests/_dates.html")
def contest_dates(contest: Contest) -> dict[str, Any]:
    """Show the dates of a contest as a line of time."""
    return {"dates": dates.contest_dates(contest=contest)}
