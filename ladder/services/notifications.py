"""Creates notifications, in the same transaction as the event that they report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from accounts.models import Notification, User
from accounts.news_kinds import NewsKind
from common.signals import notified
from contests.models import Contest
from ladder.models import Bot


@dataclass(frozen=True, slots=True)
class BotNews:
    """What the owner of one bot is told."""

    bot: Bot
    occasion: str
    """A unique text for the event; nobody is notified of it a second time."""
    values: Mapping[str, str | int]
    """The values for the sentence and the url of the event, besides those about the bot."""


def notification_create(*, kind: NewsKind, bot: Bot, occasion: str, **values: str | int) -> None:
    """Notify the owner of a bot or all members of its team, or all administrators if a house bot needs them.

    ``BotNews`` says what the occasion and the values are.
    """
    notifications_create(kind=kind, news=[BotNews(bot, occasion, values)])


def notifications_create(*, kind: NewsKind, news: Iterable[BotNews]) -> None:
    """Notify of events of one kind, as ``notification_create`` does in 2 queries and those of the signal."""
    told = [each for each in news if kind.for_staff or not each.bot.is_house]
    readers = _readers({each.bot.pk for each in told})
    rows = [
        Notification(
            reader_id=reader,
            kind=kind.name,
            occasion=each.occasion,
            values={"bot": each.bot.pk, "name": each.bot.name, "is_house": each.bot.is_house, **each.values},
            mail_due=language != "",
        )
        for each in told
        for reader, language in readers[each.bot.pk].items()
    ]
    if rows:
        Notification.objects.bulk_create(rows, ignore_conflicts=True)
        notified.send(sender=Notification, kind=kind, events={(row.occasion, row.reader_id) for row in rows})


def _readers(bots: Iterable[int]) -> dict[int, dict[int, str]]:
    """Return the users to notify about each bot, with the languages of their mails, by key (1 query).

    For house bots they are the administrators (1 query more).
    """
    readers: dict[int, dict[int, str]] = defaultdict(dict)
    # An archived contest is read-only: nobody has to act about it any more.
    owned = Bot.objects.filter(pk__in=bots).exclude(contest__state=Contest.State.ARCHIVED)
    owner, member = ("owner", "owner__mail_language"), ("team__members__user", "team__members__user__mail_language")
    staff: dict[int, str] | None = None
    for bot, is_house, team, alone, language, user, user_language in owned.values_list(
        "pk", "is_house", "team", *owner, *member
    ):
        if is_house:
            if staff is None:
                staff = dict(User.objects.filter(is_staff=True, is_active=True).values_list("pk", "mail_language"))
            readers[bot] = staff
        elif team is None:
            readers[bot] = {alone: language}
        elif user is not None:
            readers[bot][user] = user_language
    return readers
