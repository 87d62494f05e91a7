"""The template tags for following bots and people."""

from __future__ import annotations

from typing import Any

from django import template
from django.db.models import QuerySet

from accounts.models import User
from ladder.models import Bot, Follow
from ladder.selectors.bots import bot_is_followed
from ladder.selectors.follows import follows_of, person_is_followed

register = template.Library()


@register.filter
def follows(follower: User) -> QuerySet[Follow]:
    """Return what a user follows, the newest first (1 query)."""
    return follows_of(follower=follower)


@register.inclusion_tag("ladder/_follow.html", takes_context=True)
def follow_button(context: template.Context, *, bot: Bot | None = None, person: User | None = None) -> dict[str, Any]:
    """Show the button that begins or ends following a bot or a person (1 query for a person; none for guests).

    The bot was read by ``bot_for_reader``.
    """
    request = context["request"]
    reader = request.user if request.user.is_authenticated else None
    followed = bot is not None and bot_is_followed(bot=bot)
    if reader and person:
        followed = person_is_followed(follower=reader, person=person)
    return {"request": request, "reader": reader, "bot": bot, "person": person, "is_followed": followed}
