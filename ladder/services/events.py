"""Writes what bots did, and notifies those who follow them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import Notification
from accounts.news_kinds import NewsKind
from ladder.models import Bot, BotEvent
from ladder.news import FOLLOWED
from ladder.selectors.follows import EventFollower, event_followers

EVENTS_KEPT = timedelta(days=60)
"""Older events are deleted; what they tell stands in matches, ratings and tournaments as well."""
EVENTS_AT_ONCE = 200
FOLLOWERS_AT_ONCE = 1_000
"""The most notifications that one call of ``followers_notify`` writes, however many follow a bot."""
_BATCH_ROWS = 500


def event_new(*, bot: Bot | int, kind: NewsKind, occasion: str, **values: str | float) -> BotEvent:
    """Return an unsaved event of a bot. ``bot`` is the bot or its key.

    Of all events of one kind and ``occasion``, a bot keeps only the first. ``values`` are those of the event's sentence
    and url, without those about the bot.
    """
    pk = bot if isinstance(bot, int) else bot.pk
    after = 0 if kind.for_followers else None
    return BotEvent(bot_id=pk, kind=kind.name, occasion=occasion, values=values, followers_after=after)


def events_create(events: Iterable[BotEvent]) -> None:
    """Save events, except those whose bot has one of the kind and occasion already (1 query for 500; none for none)."""
    BotEvent.objects.bulk_create(events, _BATCH_ROWS, ignore_conflicts=True)


def today() -> str:
    """Return today's date by UTC, as the occasion of an event of which a bot has at most one a day."""
    return timezone.now().date().isoformat()


@transaction.atomic
def followers_notify() -> int:
    """Notify followers of the oldest events of which they are not notified yet; return how many followers it found.

    At most ``EVENTS_AT_ONCE`` events and ``FOLLOWERS_AT_ONCE`` followers, in at most 8 queries. The next call goes on
    behind the last follower, so that a bot with many followers holds up nothing else.
    """
    due = BotEvent.objects.filter(followers_after__isnull=False).select_related("bot").order_by("pk")
    events = {event.pk: event for event in due[:EVENTS_AT_ONCE]}
    if not events:
        return 0
    found = event_followers(events=list(events), limit=FOLLOWERS_AT_ONCE)
    done = BotEvent.objects.filter(pk__in=events)
    if len(found) == FOLLOWERS_AT_ONCE:  # there may be more followers of the last event, and of those behind it
        last = found[-1]
        BotEvent.objects.filter(pk=last.event).update(followers_after=last.follow)
        done = done.filter(pk__lt=last.event)
    done.update(followers_after=None)
    Notification.objects.bulk_create(
        [_notification(events[row.event], row) for row in found], _BATCH_ROWS, ignore_conflicts=True
    )
    return len(found)


def _notification(event: BotEvent, row: EventFollower) -> Notification:
    # Never by mail: hundreds of them would hold up the mails about the reader's own bots.
    # Of a match between two followed bots, each has an event, and the reader one notification.
    occasion = f"match {event.values['match']}" if "match" in event.values else f"event {event.pk}"
    about = {"bot": event.bot_id, "name": event.bot.name, "event": event.kind}
    return Notification(reader_id=row.follower, kind=FOLLOWED.name, occasion=occasion, values=event.values | about)


def events_forget() -> None:
    """Delete the events that are older than ``EVENTS_KEPT``, and the notifications of them, which are far more."""
    before = timezone.now() - EVENTS_KEPT
    BotEvent.objects.filter(at__lt=before).delete()
    Notification.objects.filter(kind=FOLLOWED.name, created_at__lt=before).delete()
