"""Reads the days of contests: which have files, and which are still to get them."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Max, QuerySet
from django.utils import timezone

from contests.models import Contest
from downloads.models import REPLAYS_DAYS, DayFiles
from matches.models import Match

SETTLED = timedelta(hours=1)
"""How long after its end a day gets its files: then all its results are committed."""


def days_of(*, contest: Contest) -> QuerySet[DayFiles]:
    """Return the files of a contest's days, newest first."""
    return DayFiles.objects.filter(contest=contest).order_by("-day")


def day_files(*, contest: Contest, day: date) -> DayFiles | None:
    """Return the files of a contest's day (1 query); None if it has none."""
    return DayFiles.objects.filter(contest=contest, day=day).first()


def matches_of_day(*, day: date) -> QuerySet[Match]:
    """Return the rated matches of all contests that ended on a day (UTC)."""
    begins = _begin(day)
    return Match.objects.rated().filter(finished_at__gte=begins, finished_at__lt=begins + timedelta(days=1))


def day_due() -> tuple[str, date] | None:
    """Return the oldest day that is to get files, with the key of its contest; None if there is none.

    It goes on from the newest day that has files, so it reads no older matches: 3 queries a day with matches.
    """
    today = _begin((timezone.now() - SETTLED).astimezone(UTC).date())
    newest = DayFiles.objects.aggregate(Max("day"))["day__max"]
    since = _begin(newest) if newest else datetime.min.replace(tzinfo=UTC)
    while True:
        ended = Match.objects.rated().filter(finished_at__gte=since, finished_at__lt=today)
        first = ended.order_by("finished_at").values_list("finished_at", flat=True).first()
        if first is None:
            return None
        day = first.astimezone(UTC).date()
        played = set(matches_of_day(day=day).order_by().values_list("contest", flat=True).distinct())
        due = played - set(DayFiles.objects.filter(day=day).values_list("contest", flat=True))
        if due:
            return min(due), day
        since = _begin(day) + timedelta(days=1)


def replays_end() -> date:
    """Return the day before which tars of replays are not kept."""
    return (timezone.now() - timedelta(days=REPLAYS_DAYS)).astimezone(UTC).date()


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(tzinfo=UTC))
