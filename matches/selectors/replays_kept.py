"""Which replays results have, which of them a contest's rule keeps once it is archived, and what the others take."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from django.core.files.storage import storages
from django.db.models import F, QuerySet, Window
from django.db.models.functions import DenseRank, Greatest, Least

from contests.models import Contest
from jobs.files.storage import REPLAYS
from matches.models import Match, Result, Seat

MATCHES_MAX = 100_000
"""How many matches are read at once."""
_SAMPLE = 20
_OTHERS = (Match.Kind.TOURNAMENT, Match.Kind.EXHIBITION)


@dataclass(frozen=True, slots=True)
class Thinning:
    """What is deleted once a contest is archived."""

    kept: int
    """The number of ``Contest.replays_kept`` for which it was counted."""
    replays: int
    """How many replays; ``MATCHES_MAX`` may also mean more."""
    mebibytes: float
    """How much disk space they take, estimated by some of them."""


def digests_of(*, results: QuerySet[Result]) -> set[str]:
    """Return the SHA-256 of all replays and turn logs of some results (1 query)."""
    return {digest for row in results.values_list("replay_digest", "log_digest") for digest in row if digest}


def matches_to_thin(*, contest: Contest) -> list[int]:
    """Return the keys of matches whose replays a contest's rule does not keep, at most ``MATCHES_MAX`` (4 queries).

    It keeps those of tournaments, the newest ``replays_kept`` of each pair of bots, and two records: the match with the
    highest score and the longest one. Empty for a contest that keeps all.
    """
    if contest.replays_kept is None:
        return []
    kept = _records(contest.pk) | _newest(contest.pk, contest.replays_kept)
    # All replays of tournaments stay, and those of exhibitions until they are old.
    stored = Match.objects.filter(contest=contest, result__replay_digest__gt="").exclude(kind__in=_OTHERS)
    pks = stored.order_by("pk").values_list("pk", flat=True)
    return list(islice((pk for pk in pks.iterator() if pk not in kept), MATCHES_MAX))


def _newest(contest: str, matches: int) -> set[int]:
    """Return the keys of the newest ``matches`` matches of each pair of bots that have a replay (1 query).

    A match of three bots is among them if it is one of the newest of any of its pairs. The matches of a private test
    are of one bot with itself.
    """
    bots = "version__bot", "match__seats__version__bot"
    # Ranks, not numbers of rows: a match in which a pair of bots meets more than once counts once.
    place = Window(DenseRank(), partition_by=[Least(*bots), Greatest(*bots)], order_by="-match_id")
    pairs = Seat.objects.filter(
        match__contest=contest,
        match__state=Match.State.FINISHED,
        match__result__replay_digest__gt="",
        match__seats__index__gt=F("index"),
    ).exclude(match__kind__in=_OTHERS)
    return set(pairs.annotate(place=place).filter(place__lte=matches).values_list("match", flat=True))


def _records(contest: str) -> set[int]:
    """Return the keys of the rated match with the highest score and of the one with the most turns (2 queries)."""
    rated = {"match__contest": contest, "match__kind": Match.Kind.LADDER, "match__state": Match.State.FINISHED}
    highest = Seat.objects.filter(**rated, score__isnull=False).order_by("-score", "match").values_list("match")
    longest = Result.objects.filter(**rated).order_by("-turns", "match").values_list("match")
    return {row[0] for row in (highest.first(), longest.first()) if row}


def thinning_of(*, contest: Contest) -> Thinning | None:
    """Return what archiving a frozen contest deletes, as ``thinning_count`` has stored it (no query).

    None until it has been counted, and for a contest that keeps all replays.
    """
    found = Thinning(**contest.replays_thinning) if contest.replays_thinning else None
    return found if found and found.kept == contest.replays_kept else None


def thinning_count(*, contest: Contest) -> Thinning:
    """Count what archiving a contest deletes (5 queries, which take seconds for a hundred thousand matches)."""
    matches = matches_to_thin(contest=contest)
    sample = matches[:: max(len(matches) // _SAMPLE, 1)][:_SAMPLE]
    digests = Result.objects.filter(match__in=sample).values_list("replay_digest", flat=True)
    sizes = [_size(digest) for digest in digests]
    mean = sum(sizes) / len(sizes) if sizes else 0
    return Thinning(contest.replays_kept or 0, len(matches), round(mean * len(matches) / 2**20, 1))


def _size(digest: str) -> int:
    try:
        return storages[REPLAYS].size(digest)
    except OSError:  # deleted by hand, or the store does not answer: the estimate is smaller
        return 0
