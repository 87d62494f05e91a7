"""The template tag that shows announcements on top of every page."""

from __future__ import annotations

from typing import Any

from django import template

from ladder.selectors.announcements import COOKIE, announcements_for

register = template.Library()


@register.inclusion_tag("ladder/_announcements.html", takes_context=True)
def announcements(context: template.Context) -> dict[str, Any]:
    """Render the announcements that this browser has not dismissed."""
    return {"announcements": announcements_for(cookies=context["request"].COOKIES), "cookie": COOKIE}
