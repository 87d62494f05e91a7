"""The template tag that shows announcements on top of every page."""

from __future__ import annotations

from typing import Any

from django import template

from contests.headers import page_contest
from ladder.selectors.announcements import COOKIE, announcements_for

register = template.Library()


@register.inclusion_tag("ladder/_announcements.html", takes_context=True)
def announcements(context: template.Context) -> dict[str, Any]:
    """Render the announcements that this browser has not dismissed."""
    request = context["request"]
    # Django's handler of 404 gives its page the exception: that page is the same for all contests, and for none.
    contest = None if "exception" in context else page_contest(request)
    shown = announcements_for(cookies=request.COOKIES, contest=contest)
    return {"announcements": shown, "cookie": COOKIE}
