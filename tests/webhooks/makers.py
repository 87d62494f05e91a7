"""Hooks, and what is told by them, as rows for tests."""

from __future__ import annotations

from accounts.models import User
from accounts.news_kinds import news_kind
from ladder.services.notifications import notification_create
from tests.ladder.makers import make_user, make_version
from webhooks.models import Hook
from webhooks.services.hooks import hook_create

BUILD = ["build"]


def make_hook(url: str = "https://ci.example/", groups: list[str] = BUILD, owner: User | None = None) -> Hook:
    """Make a hook by the service; of alice, if there is no owner."""
    return hook_create(owner=owner or make_user("alice"), url=url, groups=groups)


def built(hook: Hook, occasion: str = "once", kind: str = "built") -> None:
    """Notify the owner of a hook that a version was built."""
    bot = hook.owner.bots.first() or make_version().bot
    version = bot.versions.get()
    told = {"version": version.pk, "number": 1, "outcome": "plays" if kind == "built" else ""}
    notification_create(kind=news_kind(kind), bot=bot, occasion=occasion, **told)
