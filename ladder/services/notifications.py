"""Creates notifications, in the same transaction as the event that they report."""

from __future__ import annotations

from django.db.models import Exists

from accounts.models import Notification, User
from common.signals import notified
from contests.models import Contest
from ladder.models import Bot

Kind = Notification.Kind

_FOR_STAFF = frozenset({Kind.REJECTED, Kind.NOT_BUILT, Kind.PROBATION})
"""The kinds for which administrators are notified about house bots, because they have to act."""


def notification_create(*, kind: Kind, bot: Bot, occasion: str, **values: str | int) -> None:
    """Notify the owner of a bot or all members of its team, or all administrators if a house bot needs them.

    Args:
        kind: the kind of event.
        bot: the bot that it is about.
        occasion: a unique text for the event; a second call with it does nothing.
        values: values for its sentence and its url besides those of the bot (``ladder.words.notifications``).
    """
    if bot.is_house and kind not in _FOR_STAFF:
        return
    # An archived contest is read-only: nobody has to act about it any more.
    archived = Exists(Contest.objects.filter(pk=bot.contest_id, state=Contest.State.ARCHIVED))
    staff = User.objects.filter(is_staff=True, is_active=True)
    alone = bot.team_id is None
    owners = User.objects.filter(pk=bot.owner_id) if alone else User.objects.filter(team_members__team=bot.team_id)
    about = {"bot": bot.pk, "name": bot.name, "is_house": bot.is_house, **values}
    rows = [
        Notification(reader_id=pk, kind=kind, occasion=occasion, values=about, mail_due=language != "")
        for pk, language in (staff if bot.is_house else owners).exclude(archived).values_list("pk", "mail_language")
    ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)
    notified.send(sender=Notification, kind=kind, occasion=occasion, readers=[row.reader_id for row in rows])
