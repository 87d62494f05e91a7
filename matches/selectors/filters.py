"""Filters of lists of matches, made so that the database finds the newest ones quickly among a million."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery

from accounts.access import Reader
from common.names import name_key
from contests.selectors.visibility import contest_key_is_seen, seen_by, shown_to
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import bots_accepted, own_condition, owned_by
from matches.models import Match, Seat, TrialPair, told_to

ANY_FAULT = "any"
WATCHABLE = "watch"
"""A value of ``MatchFilter.state`` for matches that run or have a result. The list of matches shows these unless its
reader chooses otherwise, since the queue is always full."""

VERSIONS_NAMED_MAX = 200
"""Most keys of versions that a query lists; for more it has a subquery."""

FEW_SEATS = 5_000
"""Most matches that the database finds by their seats and sorts in a few milliseconds."""

KINDS_LISTED = [(value, title) for value, title in Match.Kind.choices if value != Match.Kind.EXHIBITION]
"""The kinds of matches, with their titles, that lists show: only those who have the link of a table see it."""


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Conditions on matches, as a reader has chosen them; an empty field is no condition.

    Bot, version, owner, language and fault must hold for one and the same seat: a filter by owner and fault does not
    find faults of the opponents of that owner's bots. ``against`` must hold for another seat.
    """

    contest: str = ""
    """Key of a contest."""
    bot: str = ""
    """Part of a bot's name."""
    bot_id: int | None = None
    """Key of a bot that plays in the match."""
    version: int | None = None
    """Key of a version that plays in the match."""
    against: int | None = None
    """Key of a bot that has another seat."""
    trial: int | None = None
    """Key of a private test; its matches have a kind of their own, which has to be chosen too."""
    owner: str = ""
    """Name of a bot's owner or team; upper and lower case are the same."""
    language: str = ""
    fault: str = ""
    """A verdict (``matches.verdicts``), or ``ANY_FAULT``."""
    kind: str = Match.Kind.LADDER
    state: str = ""
    """A state of ``Match``, or ``WATCHABLE``."""
    since: datetime | None = None
    """Only matches that were paired at this moment or later."""
    until: datetime | None = None
    """Only matches that were paired before this moment."""


ALL_RATED = MatchFilter()
ALL_TO_WATCH = MatchFilter(state=WATCHABLE)


def matches_shown(matches: QuerySet[Match], *, chosen: MatchFilter, reader: Reader | None) -> QuerySet[Match]:
    """Return the matches of the contests that a list with a filter shows to a reader (at most 3 queries).

    The matches of a contest that no list names are shown only if the filter names it, or a bot, a version or a private
    test in it. A filter that names what the reader may not see finds nothing, as one that names what does not exist.
    """
    if chosen.contest:
        return matches if contest_key_is_seen(chosen.contest, reader=reader) else matches.none()
    guest = reader or AnonymousUser()
    bot, version = chosen.bot_id or chosen.against, chosen.version
    if bot or version:
        # All bots of a match are in its contest. A query of its own: a join would change how the matches are found.
        named = {"pk": bot} if bot else {"versions": version}
        return matches if Bot.objects.filter(seen_by(guest), **named).exists() else matches.none()
    if chosen.kind == Match.Kind.TRIAL:
        return matches.filter(seen_by(guest))
    return matches.filter(shown_to(reader))


def matches_filter(matches: QuerySet[Match], *, chosen: MatchFilter, reader: Reader | None) -> QuerySet[Match]:
    """Return the matches that meet a filter and that the reader may see.

    ``matches`` come from ``matches_shown``, which decides about contests. Of private tests only those of the reader's
    own bots are returned, of tournaments only those whose results are not hidden from the reader. A ``reader`` of None
    sees as a guest does. Up to 9 queries.
    """
    matches = _by_time(matches.filter(kind=chosen.kind), chosen.since, chosen.until)
    if chosen.kind == Match.Kind.TOURNAMENT:  # the other kinds are never hidden, which the database checks
        matches = matches.filter(told_to(reader))
    if chosen.contest:
        matches = matches.filter(contest=chosen.contest)
    if chosen.state == WATCHABLE:
        matches = matches.filter(state__in=(Match.State.RUNNING, Match.State.FINISHED))
    elif chosen.state:
        matches = matches.filter(state=chosen.state)
    if chosen.kind == Match.Kind.TRIAL:
        own = own_condition(reader=reader or AnonymousUser(), prefix="bot__")
        matches = matches_of(matches, BotVersion.objects.filter(own))
    if chosen.trial:
        matches = matches.filter(pk__in=trial_matches(trial=chosen.trial))
    versions = _versions(chosen)
    opponents = BotVersion.objects.filter(bot=chosen.against) if chosen.against else None
    if versions is None and not chosen.fault:
        if opponents is None:
            return matches
        versions, opponents = opponents, None
    return matches_of(matches, versions, opponents=opponents, fault=chosen.fault)


def trial_matches(*, trial: int) -> QuerySet[TrialPair, Any]:
    """Return a query for the keys of the matches of a private test."""
    pairs = TrialPair.objects.order_by().filter(trial=trial)
    return pairs.values("first").union(pairs.values("second"), all=True)


def keys_named(*, chosen: MatchFilter, reader: Reader) -> dict[str, str]:
    """Return the names of the bots and the version whose keys a filter has, by field (2 queries at most).

    Names of bots that were never accepted are left out: they have no matches, and their names are not public. So are
    those of bots in contests that the reader may not see.
    """
    keys = {name: key for name in ("bot_id", "against") if (key := getattr(chosen, name))}
    accepted = bots_accepted().filter(seen_by(reader))
    bots = accepted.in_bulk(keys.values()) if keys else {}
    names = {name: bots[key].name for name, key in keys.items() if key in bots}
    known = BotVersion.objects.filter(bot__in=accepted, pk=chosen.version).select_related("bot")
    version = known.first() if chosen.version else None
    return {**names, "version": str(version)} if version else names


def matches_of(
    matches: QuerySet[Match],
    versions: QuerySet[BotVersion] | None,
    *,
    opponents: QuerySet[BotVersion] | None = None,
    fault: str = "",
) -> QuerySet[Match]:
    """Return the matches in which one of some versions played (up to 3 queries, 4 with opponents).

    Args:
        matches: to choose from.
        versions: one of these has a seat; None: any.
        opponents: one of these has another seat; None: any.
        fault: the version of the first seat had this fault, or any (``ANY_FAULT``); empty: no condition.
    """
    seats = Seat.objects.order_by()
    named = None if versions is None else _named(versions)
    if named is not None:
        seats = seats.filter(version__in=named)
    if opponents is not None:
        others = Seat.objects.order_by().filter(match=OuterRef("match"), version__in=_named(opponents))
        seats = seats.filter(Exists(others.exclude(version=OuterRef("version"))))
    if fault:
        seats = seats.exclude(verdict="") if fault == ANY_FAULT else seats.filter(verdict=fault).exclude(verdict="")
    few = seats[: FEW_SEATS + 1].count() <= FEW_SEATS
    if isinstance(named, list) and not few:
        # Begin at the newest match of these versions. For a bot that plays no more the database would otherwise look
        # through all newer matches first.
        matches = matches.filter(pk__lte=_last_match(named))
    return matches_of_seats(matches, seats, few=few)


def matches_of_seats(matches: QuerySet[Match], seats: QuerySet[Seat], *, few: bool) -> QuerySet[Match]:
    """Return the matches of some seats, in a form that the database plans well.

    For few seats the order is by an expression without an index: so the database begins with the seats, and not with
    all matches from the newest on. For many seats, some of which are soon found among the newest matches, each match is
    checked by a scalar subquery: the database cannot turn that into a join, which would read all seats from the newest
    on, however old the page is. ``few`` says that there are at most ``FEW_SEATS`` seats.
    """
    if few:
        return matches.filter(pk__in=seats.values("match")).order_by((F("pk") + 0).desc())
    return matches.alias(seat=Subquery(seats.filter(match=OuterRef("pk")).values("pk")[:1])).filter(seat__isnull=False)


def _named(versions: QuerySet[BotVersion]) -> list[int] | QuerySet[BotVersion, int]:
    """Return the keys of some versions if they are at most ``VERSIONS_NAMED_MAX``, else a query for them (1 query)."""
    pks = versions.order_by().values_list("pk", flat=True)
    few = list(pks[: VERSIONS_NAMED_MAX + 1])
    return few if len(few) <= VERSIONS_NAMED_MAX else pks


def _last_match(versions: list[int]) -> int | None:
    """Return the key of the newest match of some versions, by one access to an index for each (1 query)."""
    newest = Seat.objects.filter(version=OuterRef("pk")).order_by("-match").values("match")[:1]
    last: int | None = BotVersion.objects.filter(pk__in=versions).aggregate(last=Max(Subquery(newest)))["last"]
    return last


def _versions(chosen: MatchFilter) -> QuerySet[BotVersion] | None:
    """Return the versions that meet the filter's conditions on bot, version, owner, language; None if it has none."""
    wanted: dict[str, str | int] = {}
    conditions: list[Q] = []
    if chosen.bot_id:
        wanted["bot"] = chosen.bot_id
    if chosen.version:
        wanted["pk"] = chosen.version
    if chosen.bot:
        wanted["bot__name_key__contains"] = name_key(chosen.bot)
    if chosen.owner:
        conditions.append(owned_by(name=chosen.owner, prefix="bot__"))
    if chosen.language:
        wanted["language"] = chosen.language
    if not (wanted or conditions):
        return None
    if chosen.contest:
        wanted["bot__contest"] = chosen.contest
    return BotVersion.objects.filter(*conditions, activated_at__isnull=False, **wanted)


def _by_time(matches: QuerySet[Match], since: datetime | None, until: datetime | None) -> QuerySet[Match]:
    """Return the matches that were paired in a time, from ``since`` on and before ``until``.

    The condition is on keys, which are given in the order in which matches are paired: lists are ordered by key, so the
    database begins at the first match of the time, however many are newer.
    """
    if since:
        first = _first_since(since)
        matches = matches.none() if first is None else matches.filter(pk__gte=first)
    if until and (first := _first_since(until)) is not None:
        matches = matches.filter(pk__lt=first)
    return matches


def _first_since(moment: datetime) -> int | None:
    """Return the key of the first match that was paired at a moment or later (1 query)."""
    return Match.objects.filter(created_at__gte=moment).order_by("created_at").values_list("pk", flat=True).first()
