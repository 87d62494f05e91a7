"""The template tag that shows announcements on top of every page."""

from __future__ import annotations

from typing import Any

from django import template

from ladder.contest_headers import page_contest
from ladder.selectors.announcements import COOKIE, announcements_for

register = template.Library()


@register.inclusion_tag("ladder/_announcements.html", takes_context=True)
def announcements(context: template.Context) -> dict[str, Any]:
    """Render the announcements that this browser has not dismissed."""
    request = context["request"]
    shown = announcements_for(cookies=request.COOKIES, contest=page_contest(request))
    return {"announcements": shown, "cookie": COOKIE}
