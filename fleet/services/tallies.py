"""Counters of matches, attempts and faults, stored so that a scrape of the metrics never reads a million matches.

Every few seconds a manager counts what has ended since the last time and adds it to ``Tally``. The end of the counted
span is stored in the same transaction, so that each span is counted exactly once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from fleet.models import Tally, TallyMark
from matches.models import Attempt, Match, Seat

MATCHES = "matches"
"""Matches by game and ending (finished, void)."""
ATTEMPTS = "attempts"
"""Attempts by game and ending."""
FAULTS = "faults"
"""Bot faults in finished matches by game and verdict."""
PHASES = "phase_seconds"
"""Attempts by game, phase and bucket, see ``PHASE_BUCKETS``."""
PHASE_SUMS = "phase_seconds_sum"
"""Seconds by game and phase."""

WAITING, PLAYING = "waiting", "playing"
PHASE_BUCKETS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 60.0, 120.0, 300.0, 600.0, float("inf"))
"""Upper bounds in seconds. ``waiting`` lasts from queue to worker, ``playing`` from there to the report."""

SETTLED_SECONDS = 10
"""What ended less than this ago is counted the next time: its transaction may not be committed yet."""
STEP_SECONDS = 300
"""The longest span that one transaction counts; longer ones occur after the managers were stopped."""

Counts = Mapping[tuple[str, str], float]
"""Increments, by name and labels of the counter."""
_Counting = defaultdict[tuple[str, str], float]


def tallies_count() -> datetime:
    """Count all that has ended since the last call, and return the time up to which all is counted.

    The first call of an arena only stores the time from which to count.
    """
    until = timezone.now() - timedelta(seconds=SETTLED_SECONDS)
    while (reached := _count_step(until)) < until:
        pass
    return reached


@transaction.atomic
def _count_step(until: datetime) -> datetime:
    """Count the next span of at most ``STEP_SECONDS``, and return its end."""
    mark, _ = TallyMark.objects.get_or_create(pk=1, defaults={"counted_until": until})
    mark = TallyMark.objects.select_for_update().get(pk=1)
    begin = mark.counted_until
    end = min(until, begin + timedelta(seconds=STEP_SECONDS))
    if end <= begin:
        return until
    _add({**_attempts(begin, end), **_matches(begin, end), **_faults(begin, end)})
    mark.counted_until = end
    mark.save()
    return end


def _attempts(begin: datetime, end: datetime) -> Counts:
    """Return the increments for attempts that ended in ``[begin, end)``, and for the lengths of their phases."""
    counts: _Counting = defaultdict(float)
    ended = (
        Attempt.objects.filter(ended_at__gte=begin, ended_at__lt=end)
        .exclude(match__kind=Match.Kind.EXHIBITION)
        .order_by()
    )
    rows = ended.values_list("match__game", "ending", "queued_at", "started_at", "ended_at")
    for game, ending, queued_at, started_at, ended_at in rows:
        counts[ATTEMPTS, f"{game},{ending}"] += 1
        if started_at and ended_at and ending == Attempt.Ending.RESULT:
            _phase(counts, f"{game},{WAITING}", started_at - queued_at)
            _phase(counts, f"{game},{PLAYING}", ended_at - started_at)
    return counts


def _phase(counts: _Counting, labels: str, lasted: timedelta) -> None:
    seconds = max(lasted.total_seconds(), 0.0)  # negative when the clock was set back
    bucket = PHASE_BUCKETS[bisect_left(PHASE_BUCKETS, seconds)]
    counts[PHASES, f"{labels},{bucket:g}"] += 1
    counts[PHASE_SUMS, labels] += seconds


def _matches(begin: datetime, end: datetime) -> Counts:
    ended = (
        Match.objects.filter(finished_at__gte=begin, finished_at__lt=end).exclude(kind=Match.Kind.EXHIBITION).order_by()
    )
    return Counter((MATCHES, f"{game},{state}") for game, state in ended.values_list("game", "state"))


def _faults(begin: datetime, end: datetime) -> Counts:
    ended = Match.objects.filter(finished_at__gte=begin, finished_at__lt=end, state=Match.State.FINISHED)
    seats = Seat.objects.filter(match__in=ended.exclude(kind=Match.Kind.EXHIBITION)).exclude(verdict="").order_by()
    return Counter((FAULTS, f"{game},{verdict}") for game, verdict in seats.values_list("match__game", "verdict"))


def _add(counts: Counts) -> None:
    """Add the increments to the stored counters. The caller has locked ``TallyMark``, so no other process does."""
    if not counts:
        return
    known = {(tally.name, tally.labels): tally.value for tally in Tally.objects.all()}
    Tally.objects.bulk_create(
        [Tally(name=key[0], labels=key[1], value=known.get(key, 0) + value) for key, value in counts.items()],
        update_conflicts=True,
        unique_fields=["name", "labels"],
        update_fields=["value"],
    )
