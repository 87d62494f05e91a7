"""Which matches a list shows, and how they are found among a million."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, OuterRef, QuerySet, Subquery

from ladder.access import Reader
from ladder.models import BotVersion
from ladder.names import name_key
from matches.models import Match, Seat

ANY_FAULT = "any"

VERSIONS_NAMED_MAX = 200
"""More versions than that are not named one by one in a query."""

FEW_SEATS = 5_000
"""So many matches are found by their seats and sorted in a few milliseconds."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """What a reader has chosen; what is empty takes all.

    Bot, owner, language and fault are of one seat: who looks for a fault of an owner's bots does not find the faults of
    their opponents.
    """

    game: str = ""
    bot: str = ""
    """Part of a bot's name."""
    owner: str = ""
    """Name of a bot's owner, whatever the capitals."""
    language: str = ""
    fault: str = ""
    """A verdict (``matches.verdicts``), or ``ANY_FAULT``."""
    kind: str = Match.Kind.LADDER
    state: str = ""
    since: datetime | None = None
    """Paired then or later."""
    until: datetime | None = None
    """Paired before that."""


ALL_RATED = MatchFilter()


def matches_filter(matches: QuerySet[Match], *, chosen: MatchFilter, reader: Reader | None) -> QuerySet[Match]:
    """Leave the matches of a filter that the reader may see (up to 4 queries at once)."""
    matches = _by_time(matches.filter(kind=chosen.kind), chosen.since, chosen.until)
    if chosen.game:
        matches = matches.filter(game=chosen.game)
    if chosen.state:
        matches = matches.filter(state=chosen.state)
    if chosen.kind == Match.Kind.TRIAL:
        matches = matches_of(matches, BotVersion.objects.filter(bot__owner=reader.pk if reader else None))
    versions = _versions(chosen)
    return matches if versions is None and not chosen.fault else matches_of(matches, versions, fault=chosen.fault)


def matches_of(matches: QuerySet[Match], versions: QuerySet[BotVersion] | None, *, fault: str = "") -> QuerySet[Match]:
    """Leave the matches in which one of some versions played (None: any), with a fault if one is named (2 queries)."""
    seats = Seat.objects.order_by()
    if versions is not None:
        pks = versions.order_by().values_list("pk", flat=True)
        few = list(pks[: VERSIONS_NAMED_MAX + 1])
        seats = seats.filter(version__in=few if len(few) <= VERSIONS_NAMED_MAX else pks)
    if fault:
        seats = seats.exclude(verdict="") if fault == ANY_FAULT else seats.filter(verdict=fault).exclude(verdict="")
    return matches_of_seats(matches, seats, few=seats[: FEW_SEATS + 1].count() <= FEW_SEATS)


def matches_of_seats(matches: QuerySet[Match], seats: QuerySet[Seat], *, few: bool) -> QuerySet[Match]:
    """Leave the matches of some seats.

    The database has to begin at the right end. Where the seats are few it would go through all matches to find them: so
    they are ordered by an expression, which has no index, and it begins with the seats. Where they are many, some are
    soon found among the newest matches: so each match is asked for its seats. That is a subquery for one value, since
    the database cannot turn it into a join, which would read all seats from the newest on, however old the page is.
    """
    if few:
        return matches.filter(pk__in=seats.values("match")).order_by((F("pk") + 0).desc())
    return matches.alias(seat=Subquery(seats.filter(match=OuterRef("pk")).values("pk")[:1])).filter(seat__isnull=False)


def _versions(chosen: MatchFilter) -> QuerySet[BotVersion] | None:
    """Return the versions of a bot's name, an owner, a language; None if all are meant."""
    wanted: dict[str, str] = {}
    if chosen.bot:
        wanted["bot__name_key__contains"] = name_key(chosen.bot)
    if chosen.owner:
        wanted["bot__owner__username__iexact"] = chosen.owner
    if chosen.language:
        wanted["language"] = chosen.language
    if not wanted:
        return None
    if chosen.game:
        wanted["bot__game"] = chosen.game
    return BotVersion.objects.filter(activated_at__isnull=False, **wanted)


def _by_time(matches: QuerySet[Match], since: datetime | None, until: datetime | None) -> QuerySet[Match]:
    """Leave the matches of a time.

    By their numbers, which are given in the order in which matches are made: lists go by number, and so begin at the
    first that is meant, however many are newer.
    """
    if since:
        first = _first_since(since)
        matches = matches.none() if first is None else matches.filter(pk__gte=first)
    if until and (first := _first_since(until)) is not None:
        matches = matches.filter(pk__lt=first)
    return matches


def _first_since(moment: datetime) -> int | None:
    """Return the number of the first match that was made then or later (1 query)."""
    return Match.objects.filter(created_at__gte=moment).order_by("created_at").values_list("pk", flat=True).first()
