"""What an organiser sees of the matches of a contest: its queue, and its faults. Nothing of it is a secret of owners.

The attack: an organiser reads what only the owner of a bot may see. No query here reads evidence, logs, sources or
private tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min
from django.utils import timezone
from django.utils.translation import gettext as _

from ladder.models import BotVersion
from matches.models import Match, Seat

_UNCOUNTED = (Match.Kind.TRIAL, Match.Kind.EXHIBITION)
FAULT_DAYS = 7
"""How far back the faults are counted."""
FAULTS_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Waiting:
    """The jobs of a contest that wait in one class of the queue."""

    title: str
    length: int
    oldest: datetime


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a bot ended with a verdict."""

    bot: int
    """Key of the bot."""
    name: str
    verdict: str
    count: int
    last: int
    """Key of the newest match in which the bot ended with this verdict."""


def desk_queue(*, contest: str) -> list[Waiting]:
    """Return what waits in a contest, by class of the queue (2 queries). Private tests and tables are not counted."""
    waiting = Match.objects.filter(contest=contest, state=Match.State.QUEUED).exclude(kind__in=_UNCOUNTED)
    by_class = waiting.order_by("queue_class").values_list("queue_class").annotate(Count("pk"), Min("created_at"))
    rows = [Waiting(str(Match.QueueClass(name).label), length, since) for name, length, since in by_class]
    builds = BotVersion.objects.filter(bot__contest=contest, state=BotVersion.State.UPLOADED)
    queued = builds.aggregate(length=Count("pk"), since=Min("created_at"))
    return [*([Waiting(_("builds"), queued["length"], queued["since"])] if queued["length"] else []), *rows]


def desk_running(*, contest: str) -> int:
    """Return how many matches of a contest are played now, private tests and tables left out (1 query)."""
    running = Match.objects.filter(contest=contest, state=Match.State.RUNNING)
    return running.exclude(kind__in=_UNCOUNTED).count()


def desk_faults(*, contest: str) -> list[Faults]:
    """Return how often each bot had each fault in rated matches of the last ``FAULT_DAYS`` days (1 query).

    The most frequent come first, at most ``FAULTS_SHOWN``.
    """
    since = timezone.now() - timedelta(days=FAULT_DAYS)
    faults = Seat.objects.filter(match__contest=contest, match__kind=Match.Kind.LADDER, match__finished_at__gt=since)
    groups = faults.exclude(verdict="").order_by().values_list("version__bot", "version__bot__name", "verdict")
    counted = groups.annotate(count=Count("pk"), last=Max("match")).order_by("-count", "-last")
    return [Faults(*row) for row in counted[:FAULTS_SHOWN]]
