"""Reads how far the finals of a frozen contest are: builds, games that versions lack, and the time they will take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from contests.models import Contest
from contests.selectors.contests import tables_of
from jobs.selectors.workers import processes_count
from ladder.models import BotVersion
from ladder.selectors.builds import builds_in_time
from matches.models import Match, Seat
from matches.selectors.first_games import build_seconds_mean, match_seconds_mean

Stage = Contest.FinalStage
SPEED_MINUTES = 10
"""Over how many of the last minutes the speed of the final matches is measured."""
SPEED_MATCHES_MIN = 10
"""With fewer matches in that time the speed is estimated from the length of matches and the number of processes."""


@dataclass(frozen=True, slots=True)
class FinalProgress:
    """How far the finals of a contest are."""

    stage: Stage
    builds: int
    """Versions that came in time and are not built yet."""
    games: int
    """Games that bots have played of ``games_wanted``; a match counts for each bot in it."""
    games_wanted: int
    """How many games people's active versions should have in all, ``Contest.final_games`` for each of them."""
    seconds: float | None
    """How many seconds remain until the board can be signed, by measured speed; None while no worker takes work."""

    @property
    def sentence(self) -> str:
        """How far they are, in the reader's language."""
        if self.stage == Stage.FITTING:
            return _("All final matches have been paired. The board is signed when the last ones have ended.")
        if self.stage == Stage.PLAYING:
            count = {"games": self.games, "wanted": self.games_wanted}
            return _("Final matches are being played: %(games)d of %(wanted)d.") % count
        return ngettext(
            "%(builds)d version that came in time is still being built. Then the final matches are played.",
            "%(builds)d versions that came in time are still being built. Then the final matches are played.",
            self.builds,
        ) % {"builds": self.builds}

    @property
    def share(self) -> float:
        """The share of the games that have been played, from 0 to 1."""
        return self.games / self.games_wanted if self.games_wanted else 1.0

    @property
    def time_left(self) -> str:
        """How long it will take, in the reader's language; why that is not known, if no worker takes work."""
        if self.seconds is None:
            return _("No worker takes work just now, so nobody can say how long it will take.")
        minutes = max(1, math.ceil(self.seconds / 60))
        return ngettext(
            "By the measured speed that takes about %(minutes)d minute more.",
            "By the measured speed that takes about %(minutes)d minutes more.",
            minutes,
        ) % {"minutes": minutes}


def final_games_lacking(*, contest: Contest) -> dict[int, int]:
    """Return how many finished rated games each version lacks to ``final_games``, by primary key (2 queries).

    Versions that lack none, that are on probation, or that belong to house bots are left out. So is a version that has
    ``final_games`` or more void matches since the freeze: it may never be playable, and the board must be signed.
    """
    few = Q(rating__isnull=True) | Q(rating__games__lt=contest.final_games)
    versions = list(_finalists(contest).filter(few).values_list("pk", flat=True))
    # Counted anew: since the last fit they may have played more. These versions have few matches.
    seats = Seat.objects.filter(version__in=versions, match__contest=contest, match__kind=Match.Kind.LADDER).order_by()
    is_played = Q(match__state=Match.State.FINISHED)
    is_void = Q(match__state=Match.State.VOID, match__created_at__gte=contest.frozen_at or timezone.now())
    counted = seats.values("version").annotate(played=Count("pk", filter=is_played), void=Count("pk", filter=is_void))
    counts = {row["version"]: (contest.final_games - row["played"], row["void"]) for row in counted}
    lacking = {pk: counts.get(pk, (contest.final_games, 0)) for pk in versions}
    return {pk: games for pk, (games, void) in lacking.items() if games > 0 and void < contest.final_games}


def final_progress(*, contest: Contest, at: datetime | None = None) -> FinalProgress | None:
    """Return how far the finals of a contest are (at most 8 queries); None if it is not in its finals.

    The speed is measured until the time ``at``, by default now.
    """
    if not contest.is_in_finals:
        return None
    stage = Stage(contest.final_stage or Stage.BUILDING)
    builds = builds_in_time(contest=contest).count() if stage != Stage.FITTING else 0
    lacking = final_games_lacking(contest=contest)
    wanted = _finalists(contest).count() * contest.final_games
    left = sum(lacking.values()) + builds * contest.final_games if stage != Stage.FITTING else 0
    seconds = _seconds(contest, builds, left, at or timezone.now())
    return FinalProgress(stage, builds, wanted - sum(lacking.values()), wanted, seconds)


def _finalists(contest: Contest) -> QuerySet[BotVersion]:
    return BotVersion.objects.filter(bot__contest=contest, state=BotVersion.State.ACTIVE, bot__is_house=False)


def _seconds(contest: Contest, builds: int, games: int, at: datetime) -> float | None:
    processes = processes_count(own=contest.keeps_to_own_hosts)
    if not processes:
        return None
    matches = games / sum(size * share for size, share in tables_of(contest=contest).items())
    built = builds * build_seconds_mean() / processes if builds else 0.0
    return built + (matches / _matches_a_second(contest, processes, at) if matches else 0.0)


def _matches_a_second(contest: Contest, processes: int, at: datetime) -> float:
    """Return how many final matches end in a second: measured, or else as all processes could play."""
    since = max(at - timedelta(minutes=SPEED_MINUTES), contest.final_since or at)
    ended = Match.objects.rated().filter(contest=contest, finished_at__gt=since, finished_at__lte=at).count()
    passed = (at - since).total_seconds()
    if ended >= SPEED_MATCHES_MIN and passed > 0:
        return ended / passed
    mean, of_contest = match_seconds_mean()
    return processes / max(of_contest.get(contest.pk, mean), 0.001)
