"""Ratings: the stored fit of all results of a contest, made anew when its set of results has changed."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

import msgspec
import structlog
from django.db import transaction
from django.db.models import Aggregate, Count, F, QuerySet, Sum
from django.utils import timezone

from common.queries.sql import snapshot
from jobs.celery_app import app
from jobs.coordination import redis_lock
from ladder.models import BotVersion, Rating, RatingPoint
from ladder.services.places import places_note
from ladder.services.standings import leagues_update, standings_fill
from matches.models import BoardLock, Match, Seat
from matches.selectors.rated_results import RatedResults, results_current, results_read
from matches.services.board_locks import board_lock
from rating.fit import PROVISIONAL_GAMES
from rating.log import Finished, MatchLog, RatedVersion, fit_versions, published
from rating.orders import Ints

log = structlog.get_logger(__name__)

FIT_SECONDS_MAX = 60
"""A fit that takes longer is taken for dead, and another manager may begin one."""
RESTS = 3
"""After a fit that took t seconds, no manager fits the contest for ``RESTS`` * t: fits take a quarter of time."""
NEWS_MAX = 10_000
"""Number of newest results among which the last one that the board was made from is searched."""
_BEFORE_ALL = datetime(1970, 1, 1, tzinfo=UTC)
ANCHOR_GAMES = PROVISIONAL_GAMES
"""A house bot with fewer matches, over all its versions, is no anchor once another house bot has this many more."""

_FITTED = ["rating", "standard_error", "games", "last_match_at", "fitted_at"]
_STANDING = ["contest", "listed", "rank", "rank_best", "rank_worst"]
_BATCH_ROWS = 500
_CHUNK_ROWS = 5_000


def ratings_refit(*, contest: str) -> bool:
    """Fit the ratings of a contest from all its results and write them, if results have changed since the last fit.

    The fit runs outside any transaction. Results that come in meanwhile wait for the next fit; of two fits at once one
    is dropped, so that a fit of older results never overwrites one of newer results.

    Returns:
        Whether ratings were written.
    """
    seen, field = board_watermark(contest=contest), _field(contest)
    if _watermark(_rated_total(contest), field) == seen:
        return False
    results = results_current(contest=contest)
    ratings = _ratings(contest, results)
    watermark = _watermark(_total(results.matches()), field)  # of the fitted results, some newer than the check above
    with transaction.atomic():
        lock = board_lock(contest=contest)
        if lock.rating_watermark != seen:
            return False
        _write(contest, ratings)
        lock.rating_watermark = watermark
        lock.save()
    log.info("ratings_fitted", contest=contest, versions=len(ratings))
    return True


def ratings_refit_in_turn(*, contest: str) -> None:
    """Call ``ratings_refit``, unless another manager does so for this contest or did a moment ago (see ``RESTS``).

    A fit of a million matches takes seconds: without rests all managers would fit, and none would record results.

    Raises:
        redis.exceptions.ConnectionError: the broker could not be reached.
    """
    with redis_lock(app, f"refit.{contest}", seconds_max=FIT_SECONDS_MAX, rest=RESTS) as mine:
        if mine:
            ratings_refit(contest=contest)


def match_log(*, contest: str, until: datetime | None = None) -> MatchLog:
    """Return the match log of a contest: every version that has been active, and finished matches.

    With ``until``, only matches that ended by that moment.
    """
    matches = {row.match: row for batch in _matches(contest, until) for row in batch}
    games = Counter(version for row in matches.values() for version in row.players)
    return MatchLog(_versions(contest, games), matches)  # read after the matches: all who played are among them


@contextmanager
def match_log_published(*, contest: str) -> Iterator[tuple[str, Iterator[list[bytes]]]]:
    """Give the watermark of the match log that the board was made from, and the log's lines in batches.

    Anybody can compute exactly this board from it, although more results have come in. For moments in which the site
    cannot tell which results the board was made from, the log has all results. All is read in one snapshot of the
    database, so that lines and watermark agree, and only one batch at a time is in memory.
    """
    with snapshot():
        field = _field(contest)
        total, until = _board_end(contest, board_watermark(contest=contest), field) or (_rated_total(contest), None)
        yield _watermark(total, field), _lines(contest, until)


def _lines(contest: str, until: datetime | None) -> Iterator[list[bytes]]:
    versions = _versions(contest, _house_games(contest, is_board=until is not None))
    yield [msgspec.json.encode(versions[pk]) for pk in sorted(versions)]
    for batch in _matches(contest, until):
        yield [msgspec.json.encode(row) for row in batch]


def _house_games(contest: str, *, is_board: bool) -> dict[int, int]:
    """Return how many rated matches each version of a house bot has played, by key (1 query).

    With ``is_board`` only the matches that the board was made from count, else all.
    """
    if is_board:  # the fit has counted them
        rows = Rating.objects.filter(version__bot__contest=contest, version__bot__is_house=True)
        return dict(rows.values_list("version", "games"))
    seats = Seat.objects.filter(match__in=_rated(contest, None), version__bot__is_house=True).order_by()
    return dict(seats.values_list("version").annotate(Count("pk")))


def _versions(contest: str, games: Mapping[int, int]) -> dict[int, RatedVersion]:
    """Return the versions that have been active, by key (1 query); ``games`` has the count of each one's matches."""
    columns = ("pk", "bot", "bot__name", "number", "parent", "state", "bot__is_house", "bot__declared_rating")
    activated = BotVersion.objects.filter(bot__contest=contest, activated_at__isnull=False)
    rows = activated.order_by().values_list(*columns, named=True)
    anchors = _anchors([row for row in rows if row.bot__is_house], games)
    return {
        row.pk: RatedVersion(row.pk, f"{row.bot__name} v{row.number}", row.parent, anchors.get(row.pk)) for row in rows
    }


def _anchors(house: Sequence[Any], games: Mapping[int, int]) -> dict[int, float]:
    """Return the declared ratings that fix the scale, by version: those of house bots that have played enough.

    A house bot that comes later than the others, say with the first worker that has its language, is rated from the
    prior until it has played. Fixing it to its declared rating at once has moved a whole board by 67 Elo points.
    """
    # A house bot's older versions are no anchors: its declared rating is that of the program that plays now.
    standing = [row for row in house if row.state in BotVersion.ON_BOARD]
    played = Counter[int]()
    for row in house:
        played[row.bot] += games.get(row.pk, 0)
    most = max((played[row.bot] for row in standing), default=0)
    enough = min(ANCHOR_GAMES, most - ANCHOR_GAMES)  # while all are new all are anchors, whichever plays first
    declared = [row for row in standing if row.bot__declared_rating is not None]
    return {row.pk: row.bot__declared_rating for row in declared if played[row.bot] >= enough}


def _matches(contest: str, until: datetime | None) -> Iterator[list[Finished]]:
    """Yield the rated matches in the order of their keys, in batches (1 query, and 1 for each batch)."""
    rated = _rated(contest, until).order_by("pk").values_list("pk", "finished_at", "rules_version")
    rows = rated.iterator(_CHUNK_ROWS)  # one statement: to begin it anew for each batch took a second each
    while batch := list(islice(rows, _CHUNK_ROWS)):
        # By their keys, not by a range of keys: within it there may be millions of seats of other games.
        seats = Seat.objects.filter(match__in=[row[0] for row in batch]).order_by("match_id", "index")
        by_match = groupby(seats.values_list("match", "version", "rank"), key=itemgetter(0))
        players = {match: [seat[1:] for seat in group] for match, group in by_match}
        finished = []
        for match, at, rules in batch:
            versions, ranks = zip(*players[match], strict=True)
            finished.append(Finished(match, list(versions), list(ranks), at.isoformat() if at else "", rules))
        yield finished


def _rated(contest: str, until: datetime | None) -> QuerySet[Match]:
    rated = Match.objects.rated().filter(contest=contest)
    return rated if until is None else rated.filter(finished_at__lte=until)


def board_watermark(*, contest: str) -> str:
    """Return the watermark of the last fit, empty before the first (1 query)."""
    return BoardLock.objects.filter(contest=contest).values_list("rating_watermark", flat=True).first() or ""


def ratings_watermark(*, contest: str) -> str:
    """Return a digest of all that the fit depends on: results, versions, anchors (4 queries).

    A result never changes, so the count and the sum of the matches' keys stand for the results. Another set of results
    has the same two only if three matches or more change between two fits, and then the next match changes both again.
    """
    return _watermark(_rated_total(contest), _field(contest))


def boards_outdated(*, contests: Collection[str]) -> list[str]:
    """Return those contests whose last fit is not of their present results, versions and anchors (5 queries).

    It asks for all contests at once: hundreds of contests are looked at every few seconds, and few of them have news.
    """
    totals, fields = _rated_totals(contests), _fields(contests)
    seen = dict(BoardLock.objects.filter(contest__in=contests).values_list("contest", "rating_watermark"))
    return [name for name in contests if _watermark(totals[name], fields[name]) != seen.get(name, "")]


def _by_contest(versions: QuerySet[BotVersion], **figures: Aggregate) -> dict[str, dict[str, Any]]:
    """Return for each contest the aggregates ``figures`` over its versions, by their names."""
    rows = versions.order_by().values_list("bot__contest").annotate(**figures)
    return {contest: dict(zip(figures, row, strict=True)) for contest, *row in rows}


_Total = tuple[int, int]
"""How many matches there are, and the sum of their keys."""


def _watermark(total: _Total, field: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr((total, *field)).encode()).hexdigest()


def _rated_total(contest: str) -> _Total:
    return _rated_totals([contest])[contest]


def _rated_totals(contests: Collection[str]) -> dict[str, _Total]:
    rated = Match.objects.rated().filter(contest__in=contests).order_by().values_list("contest")
    counted = {contest: (matches, int(total)) for contest, matches, total in rated.annotate(Count("pk"), Sum("pk"))}
    return dict.fromkeys(contests, (0, 0)) | counted  # of PostgreSQL a sum is a decimal


def _total(matches: Ints) -> _Total:
    return len(matches), int(matches.sum())


def _field(contest: str) -> tuple[Any, ...]:
    return _fields([contest])[contest]


def _fields(contests: Collection[str]) -> dict[str, tuple[Any, ...]]:
    """Return all that the fit of each contest depends on besides results: versions and anchors (3 queries)."""
    versions = BotVersion.objects.filter(bot__contest__in=contests, activated_at__isnull=False)
    on_board = versions.filter(state__in=BotVersion.ON_BOARD)
    keys, none = {"pk__count": Count("pk"), "pk__sum": Sum("pk")}, {"pk__count": 0, "pk__sum": None}
    activated = _by_contest(versions, **keys, parent__sum=Sum("parent"))
    playing = _by_contest(on_board, **keys)  # the fit does not depend on which versions still play, but ranks do
    anchors = defaultdict[str, list[tuple[int, float | None]]](list)
    house = on_board.filter(bot__is_house=True).order_by("pk")
    for contest, version, declared in house.values_list("bot__contest", "pk", "bot__declared_rating"):
        anchors[contest].append((version, declared))
    nobody = {**none, "parent__sum": None}
    return {name: (activated.get(name, nobody), playing.get(name, none), anchors[name]) for name in contests}


def _ratings(contest: str, results: RatedResults) -> list[Rating]:
    """Fit ratings and return them as rows, not saved yet, one for each version (1 query)."""
    games = results.games()
    versions = _versions(contest, games)  # read after the results: all who played are among them
    now = timezone.now()
    return [
        Rating(
            version_id=row.version,
            rating=row.rating,
            standard_error=row.se,
            games=games.get(row.version, 0),
            last_match_at=results.ended.get(row.version),
            fitted_at=now,
        )
        for row in published(*fit_versions(versions, results.tables()))
    ]


def _write(contest: str, ratings: list[Rating]) -> None:
    """Write the ratings of a contest, and add a point to the history of each version that is new or has new matches.

    A version that has lost matches, which became void, loses the points with more games than it has now: they would
    mix with new ones.
    """
    stored = list(Rating.objects.filter(version__bot__contest=contest).values_list("version", "games", "rank"))
    games = {version: count for version, count, _ in stored}
    standings_fill(contest=contest, ratings=ratings)
    points = [
        RatingPoint(
            version_id=row.version_id,
            games=row.games,
            rating=row.rating,
            standard_error=row.standard_error,
            at=row.fitted_at,
        )
        for row in ratings
        if row.games != games.get(row.version_id)
    ]
    Rating.objects.bulk_create(
        ratings, _BATCH_ROWS, update_conflicts=True, unique_fields=["version"], update_fields=_FITTED + _STANDING
    )
    moves = leagues_update(contest=contest, ratings=ratings)
    places_note(before=stored, ratings=ratings, moves=moves)
    if any(row.games < games.get(row.version_id, 0) for row in ratings):
        RatingPoint.objects.filter(version__bot__contest=contest, games__gt=F("version__rating__games")).delete()
    RatingPoint.objects.bulk_create(
        points,
        _BATCH_ROWS,
        update_conflicts=True,
        unique_fields=["version", "games"],
        update_fields=["rating", "standard_error", "at"],
    )


def ratings_rebuild(*, contest: str) -> None:
    """Fit the ratings of a contest from all its results and write them, even if no result is new."""
    BoardLock.objects.filter(contest=contest).update(rating_watermark="")
    ratings_refit(contest=contest)


def ratings_differences(*, contest: str) -> list[str] | None:
    """Compare the board with a new fit of the results that it was made from, to the last bit; write nothing.

    Returns:
        A sentence for each version that differs; None when the site cannot tell which results the board was made from,
        because a version was added, a match became void, or the board is being written.
    """
    seen = board_watermark(contest=contest)
    end = _board_end(contest, seen, _field(contest))
    if seen and end is None:
        return None
    until = end[1] if end else None
    board = Rating.objects.filter(version__bot__contest=contest).select_related("version__bot")
    shown = {row.version_id: _figures(row) for row in board}
    results = results_read(contest=contest, until=until)
    fitted = {row.version_id: _figures(row) for row in _ratings(contest, results)}
    if fitted and not seen == board_watermark(contest=contest) == _watermark(
        _total(results.matches()), _field(contest)
    ):
        return None
    names = {row.version_id: str(row.version) for row in board}
    return [
        f"{names.get(version, 'no row')} (version {version}): the board has {shown.get(version)},"
        f" the log gives {fitted.get(version)}"
        for version in sorted(shown.keys() | fitted.keys())
        if shown.get(version) != fitted.get(version)
    ]


def _board_end(contest: str, watermark: str, field: tuple[Any, ...]) -> tuple[_Total, datetime] | None:
    """Return the results that a watermark stands for, as count and sum of keys, and when the last ended (2 queries).

    The results are sought by leaving out the newest one by one. Results are not committed in the order in which they
    ended, so a fit may have missed one that ended before others in it: then the answer is None, until the next fit.
    """
    matches, keys = _rated_total(contest)
    newest = (
        Match.objects.rated().filter(contest=contest).order_by("-finished_at", "-pk").values_list("pk", "finished_at")
    )
    for pk, ended_at in newest[:NEWS_MAX]:
        if _watermark((matches, keys), field) == watermark:
            return (matches, keys), ended_at or _BEFORE_ALL
        matches, keys = matches - 1, keys - pk
    if matches == 0 and _watermark((0, 0), field) == watermark:
        return (0, 0), _BEFORE_ALL
    return None


def _figures(row: Rating) -> tuple[float, float, int]:
    return row.rating, row.standard_error, row.games
