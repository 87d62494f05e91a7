"""Stores one rating a day of each bot, from which boards draw the last month."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from contests.models import Contest
from ladder.models import BotVersion, DailyRating, Rating

DAYS_KEPT = 31
_OVER = (Contest.State.FROZEN, Contest.State.ARCHIVED)
_BATCH_ROWS = 500


@transaction.atomic
def daily_ratings_store() -> None:
    """Store today's ratings of the bots that have none of today yet, and delete those older than ``DAYS_KEPT`` days.

    Contests that are over keep the month before they were frozen.
    """
    today = timezone.now().date()
    # Compared here and not by SQL: PostgreSQL's statistics know no row of today yet, so that it would plan a nested
    # loop, which compares each rating with each row.
    stored = set(DailyRating.objects.filter(day=today).values_list("bot", flat=True))
    rated = Rating.objects.filter(listed=True, games__gt=0, version__state__in=BotVersion.ON_BOARD)
    ratings = rated.exclude(contest__state__in=_OVER).values_list("version__bot", "rating")
    rows = [DailyRating(bot_id=bot, day=today, rating=round(rating)) for bot, rating in ratings if bot not in stored]
    DailyRating.objects.bulk_create(rows, _BATCH_ROWS, ignore_conflicts=True)
    DailyRating.objects.filter(day__lt=today - timedelta(days=DAYS_KEPT)).exclude(
        bot__contest__state__in=_OVER
    ).delete()
