"""Begins and ends following a bot or a person."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError
from ladder.models import Bot, Follow

FOLLOWS_MAX = 200
"""The most bots and people that a user follows: the daily notifications of a user are bounded by it."""


@transaction.atomic
def follow_begin(*, follower: User, about: Bot | User) -> None:
    """Follow a bot that the user may see, or a person with all bots of that person, unless the user does so already.

    Raises:
        InputError: a user cannot follow himself, or follows ``FOLLOWS_MAX`` already.
    """
    if about == follower:
        raise InputError(_("You cannot follow yourself. Your bots stand on your own page."))
    User.objects.select_for_update(no_key=True).get(pk=follower.pk)  # so that two requests do not exceed the limit
    if Follow.objects.filter(follower=follower).exclude(**_followed(about)).count() >= FOLLOWS_MAX:
        sentence = _(
            "You follow %(most)d bots and people, which is as many as one may. End following one of them first."
        )
        raise InputError(sentence % {"most": FOLLOWS_MAX})
    Follow.objects.get_or_create(follower=follower, **_followed(about))


def follow_end(*, follower: User, about: Bot | User) -> None:
    """End following a bot or a person; without effect if the user does not follow it."""
    Follow.objects.filter(follower=follower, **_followed(about)).delete()


def _followed(about: Bot | User) -> dict[str, Any]:
    return {"bot": about} if isinstance(about, Bot) else {"person": about}
