"""Notifications: written in the transaction of what they tell of, so that one is never without the other."""

from __future__ import annotations

from django.db.models import QuerySet

from accounts.models import Notification, User
from ladder.models import Bot

Kind = Notification.Kind

_FOR_STAFF = frozenset({Kind.REJECTED, Kind.NOT_BUILT, Kind.PROBATION})
"""Of house bots: what somebody has to do something about."""


def notification_create(*, kind: Kind, bot: Bot, occasion: str, **values: str | int) -> None:
    """Tell the owner of a bot what has happened; of house bots, all administrators. Twice for one occasion is once.

    Args:
        kind: what has happened.
        bot: to which bot.
        occasion: names the one happening.
        values: what its sentence and address need besides the bot's (``ladder.words.notifications``).
    """
    about = {"bot": bot.pk, "name": bot.name, "is_house": bot.is_house, **values}
    rows = [
        Notification(reader_id=pk, kind=kind, occasion=occasion, values=about, mail_due=language != "")
        for pk, language in _readers(bot, kind).values_list("pk", "mail_language")
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)


def _readers(bot: Bot, kind: Kind) -> QuerySet[User]:
    if not bot.is_house:
        return User.objects.filter(pk=bot.owner_id)
    return User.objects.filter(is_staff=True, is_active=True) if kind in _FOR_STAFF else User.objects.none()
