"""The announcements on top of every page."""

from __future__ import annotations

from typing import Any

from django import template

from ladder.selectors.announcements import COOKIE, announcements_for

register = template.Library()


@register.inclusion_tag("ladder/_announcements.html", takes_context=True)
def announcements(context: template.Context) -> dict[str, Any]:
    """Show what is announced and was not dismissed by this reader."""
    return {"announcements": announcements_for(cookies=context["request"].COOKIES), "cookie": COOKIE}
