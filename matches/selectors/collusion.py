"""The collusion report: pairs whose results differ improbably from their ratings, for administrators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Count, F, FloatField, QuerySet, Sum, Value, When

from ladder.models import BotVersion, Rating
from matches.improbable import GAMES_MIN, Finding, Pair, improbable
from matches.models import Match, Seat
from matches.selectors.matches import matches_list

DAYS_MAX = 3_650
"""No report goes further back, but for one of all time."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A pair of the report."""

    one: BotVersion
    """The one that did better than expected."""
    other: BotVersion
    games: int
    score: float
    """Of ``one``; a draw is half a point."""
    expected: float
    p_value: float
    q_value: float


@dataclass(frozen=True, slots=True)
class CollusionReport:
    """What is improbable in a game."""

    game: str
    pairs: int
    """How many were looked at."""
    suspicions: list[Suspicion]
    """The most improbable first."""


def collusion_report(*, game: str, since: datetime | None = None) -> CollusionReport:
    """Return the improbable pairs of a game (4 queries; seconds with a million matches).

    Pairs of house bots are left out, and versions, not bots, are compared: a better version of a bot does better.

    Args:
        game: name of the game.
        since: only matches that ended then or later; None: all.
    """
    pairs = list(_pairs(game, since))
    findings = improbable(pairs)
    found = {pk for finding in findings for pk in (finding.pair.one, finding.pair.other)}
    versions = BotVersion.objects.select_related("bot__owner").defer("log").in_bulk(found)
    return CollusionReport(game, len(pairs), [_suspicion(finding, versions) for finding in findings])


def matches_between(*, one: int, other: int) -> QuerySet[Match]:
    """Return the rated matches in which two versions met, the newest first (2 queries)."""
    matches = matches_list().filter(state=Match.State.FINISHED)
    for version in (one, other):
        matches = matches.filter(pk__in=Seat.objects.filter(version=version).values("match"))
    return matches


def _suspicion(finding: Finding, versions: dict[int, BotVersion]) -> Suspicion:
    pair, expected, score = finding.pair, finding.expected, finding.pair.score
    one, other = versions[pair.one], versions[pair.other]
    if score < expected:
        one, other, expected, score = other, one, pair.games - expected, pair.games - score
    return Suspicion(one, other, pair.games, score, expected, finding.p_value, finding.q_value)


def _pairs(game: str, since: datetime | None) -> Iterator[Pair]:
    """Yield all pairs of rated versions of a game that met often enough, house bots among themselves left out."""
    rated = Rating.objects.filter(version__bot__game=game)
    ratings = {row.version_id: row for row in rated.only("version", "rating", "standard_error")}
    house = set(BotVersion.objects.filter(bot__game=game, bot__is_house=True).values_list("pk", flat=True))
    for one, other, games, score in _met(game, since):
        first, second = ratings.get(one), ratings.get(other)
        if first and second and not {one, other} <= house:
            variances = first.standard_error**2, second.standard_error**2
            yield Pair(one, other, games, score, first.rating - second.rating, *variances)


def _met(game: str, since: datetime | None) -> QuerySet[Seat, tuple[int, int, int, float]]:
    """Return each two versions that met, the lower number first, with games and score of the first."""
    seats = Seat.objects.filter(match__game=game, match__kind=Match.Kind.LADDER, match__state=Match.State.FINISHED)
    if since:
        seats = seats.filter(match__finished_at__gte=since)
    points = Case(
        When(rank__lt=F("other_rank"), then=Value(1.0)),
        When(rank=F("other_rank"), then=Value(0.5)),
        default=Value(0.0),
        output_field=FloatField(),
    )
    tables = seats.annotate(other=F("match__seats__version"), other_rank=F("match__seats__rank"))
    met = tables.filter(other__gt=F("version")).order_by().values("version", "other")
    counted = met.annotate(games=Count("pk"), score=Sum(points)).filter(games__gte=GAMES_MIN)
    return counted.values_list("version", "other", "games", "score")
