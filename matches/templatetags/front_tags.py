"""The template tag with which the front page shows matches."""

from __future__ import annotations

from django import template

from matches.selectors.front import Front, front_page

NEW_BOTS = 5

register = template.Library()


@register.inclusion_tag("matches/_front.html")
def front() -> dict[str, Front]:
    """Show a match to watch, the pace of the arena and the newest bots."""
    return {"front": front_page(new_bots=NEW_BOTS)}
