"""Tags for what the desk of a contest shows of its bots and announcements."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context

from contests.models import Contest
from ladder.forms import ContestAnnouncementForm
from ladder.selectors.desk import BOTS_SHOWN, desk_bots

register = template.Library()


@register.simple_tag(takes_context=True)
def contest_bots(context: Context, contest: Contest) -> dict[str, Any]:
    """Return the bots of a contest whose names contain ``?bot=``, and whether there are more (1 query)."""
    name = context["request"].GET.get("bot", "").replace("\0", "")[:40]
    bots = list(desk_bots(contest=contest.slug, name=name)[: BOTS_SHOWN + 1])
    return {"name": name, "bots": bots[:BOTS_SHOWN], "has_more": len(bots) > BOTS_SHOWN}


@register.simple_tag(takes_context=True)
def announcement_form(context: Context) -> ContestAnnouncementForm:
    """Return an empty form of an announcement, or the refused one with what was typed."""
    return context.get("announcement_form") or ContestAnnouncementForm(label_suffix="")
