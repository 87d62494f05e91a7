"""The collusion report: pairs whose results differ improbably from their ratings, for administrators."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db.models import Case, Count, F, FloatField, Func, IntegerField, QuerySet, Sum, Value, When, Window

from ladder.models import Bot, Rating
from matches.collusion import GAMES_MIN, Finding, Meeting, Pair, Rated, collusion_findings, placed
from matches.models import Match, Seat
from matches.selectors.filters import MatchFilter, matches_filter
from matches.selectors.matches import matches_unfiltered

DAYS_MAX = 3_650
"""The longest time of a report that is not of all time."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Two bots whose results against each other their ratings do not explain."""

    one: Bot
    """The bot that did better than expected."""
    other: Bot
    games: int
    score: float
    """Points of ``one``; a draw is half a point."""
    expected: float
    p_value: float
    q_value: float


@dataclass(frozen=True, slots=True)
class CollusionReport:
    """The suspicious pairs of a contest."""

    contest: str
    pairs: int
    """How many pairs were examined."""
    suspicions: list[Suspicion]
    """The most improbable first."""


def collusion_report(*, contest: str, since: datetime | None = None) -> CollusionReport:
    """Return the pairs of a contest whose results are improbable (4 queries; takes seconds with a million matches).

    Pairs of two house bots are left out. Bots are compared over all their versions, and each contest is judged by the
    ratings of the versions that played it. With ``since`` only matches count that ended then or later.
    """
    pairs = list(_pairs(contest, since))
    findings = collusion_findings(pairs)
    found = {pk for finding in findings for pk in (finding.pair.one, finding.pair.other)}
    bots = Bot.objects.select_related("owner", "team").in_bulk(found)
    return CollusionReport(contest, len(pairs), [_suspicion(finding, bots) for finding in findings])


def matches_between(*, one: int, other: int, since: datetime | None = None) -> QuerySet[Match]:
    """Return the rated matches in which two bots, given by keys, met, newest first (2 queries, and the filter's).

    With ``since`` only those that ended then or later.
    """
    # For administrators, who see all contests.
    matches = matches_filter(
        matches_unfiltered(), reader=None, chosen=MatchFilter(state=Match.State.FINISHED, bot_id=one, against=other)
    )
    return matches.filter(finished_at__gte=since) if since else matches


def _suspicion(finding: Finding, bots: dict[int, Bot]) -> Suspicion:
    pair, expected, score = finding.pair, finding.expected, finding.pair.score
    one, other = bots[pair.one], bots[pair.other]
    if score < expected:
        one, other, expected, score = other, one, pair.games - expected, pair.games - score
    return Suspicion(one, other, pair.games, score, expected, finding.p_value, finding.q_value)


def _pairs(contest: str, since: datetime | None) -> Iterator[Pair]:
    """Yield the pairs of rated bots of a contest with at least ``GAMES_MIN`` games, without pairs of two house bots."""
    rated = _rated(contest)
    house = set(Bot.objects.filter(contest=contest, is_house=True).values_list("pk", flat=True))
    met: defaultdict[tuple[int, int], list[Meeting]] = defaultdict(list)
    for one, other, version, other_version, games, score in _met(contest, since):
        if version in rated and other_version in rated and not {one, other} <= house:
            met[one, other].append(Meeting(rated[version], rated[other_version], games, score))
    for (one, other), meetings in met.items():
        yield Pair(one, other, meetings)


def _rated(contest: str) -> dict[int, Rated]:
    """Return rating, error and place of each rated version of a contest, by key."""
    rows = Rating.objects.filter(version__bot__contest=contest).order_by("version__bot", "version__number")
    columns = ("version__bot", "version", "rating", "standard_error")
    rated: dict[int, Rated] = {}
    for _, group in groupby(rows.values_list(*columns), key=lambda row: row[0]):
        _, versions, ratings, errors = zip(*group, strict=True)
        rated |= zip(versions, placed(zip(ratings, errors, strict=True)), strict=True)
    return rated


class _Total(Func):
    """SUM over a window of aggregates, which Django's own Sum does not take."""

    function = "SUM"
    window_compatible = True
    output_field = IntegerField()


def _met(contest: str, since: datetime | None) -> QuerySet[Seat, tuple[int, int, int, int, int, float]]:
    """Return each two versions that met, of bots with at least ``GAMES_MIN`` games against each other.

    Returns:
        Rows of keys of the two bots, the lower first, keys of their versions, games, and the score of the first.
    """
    seats = Seat.objects.filter(
        match__contest=contest, match__kind=Match.Kind.LADDER, match__state=Match.State.FINISHED
    )
    if since:
        seats = seats.filter(match__finished_at__gte=since)
    points = Case(
        When(rank__lt=F("other_rank"), then=Value(1.0)),
        When(rank=F("other_rank"), then=Value(0.5)),
        default=Value(0.0),
        output_field=FloatField(),
    )
    tables = seats.annotate(
        one=F("version__bot"),
        other=F("match__seats__version__bot"),
        other_version=F("match__seats__version"),
        other_rank=F("match__seats__rank"),
    )
    met = tables.filter(other__gt=F("one")).order_by().values("one", "other", "version", "other_version")
    counted = met.annotate(games=Count("pk"), score=Sum(points))
    of_bots = Window(_Total(F("games")), partition_by=[F("one"), F("other")])
    often = counted.annotate(of_bots=of_bots).filter(of_bots__gte=GAMES_MIN)
    return often.values_list("one", "other", "version", "other_version", "games", "score")
