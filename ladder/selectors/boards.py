"""The leaderboards: one a game."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import F, Q, QuerySet

from ladder.models import BotVersion, Rating
from ladder.rating import INTERVAL_SDS, PROVISIONAL_GAMES, PROVISIONAL_INTERVAL, interval, is_provisional
from ladder.selectors.games import GameCard

BOARD_PAGE_ROWS = 50
PROVISIONAL_ROWS_MAX = 100

_SETTLED = Q(rating__games__gte=PROVISIONAL_GAMES, rating__standard_error__lte=PROVISIONAL_INTERVAL / INTERVAL_SDS)


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One version on a board."""

    version: BotVersion
    rank: int | None
    """From 1; None while provisional."""
    rating: Rating | None
    """None before the first fit that saw it."""

    @property
    def interval(self) -> float:
        """Half the width of the rating's interval, Elo points."""
        return interval_of(self.rating) if self.rating else 0.0


@dataclass(frozen=True, slots=True)
class Board:
    """A page of a game's leaderboard."""

    page: Page[BotVersion]
    ranked: list[BoardRow]
    provisional: list[BoardRow]
    """On the first page only."""
    provisional_total: int


@dataclass(frozen=True, slots=True)
class BoardHead:
    """The top of a game's leaderboard."""

    game: GameCard
    rows: list[BoardRow]


def interval_of(rating: Rating) -> float:
    """Return half the width of a rating's interval in Elo points."""
    return interval(rating.standard_error)


def is_unranked(rating: Rating | None) -> bool:
    """Say whether a version is still without a rank."""
    return rating is None or is_provisional(rating.standard_error, rating.games)


def board_page(*, game: str, number: str | None) -> Board:
    """Return a page of a board (5 queries at most); a page number that makes no sense gives the nearest page."""
    page = Paginator(_ranked(game), BOARD_PAGE_ROWS).get_page(number)
    first_rank = page.start_index()
    ranked = [BoardRow(version, first_rank + place, version.rating) for place, version in enumerate(page)]
    provisional = _provisional(game)
    rows = list(provisional[:PROVISIONAL_ROWS_MAX]) if page.number == 1 else []
    total = len(rows) if len(rows) < PROVISIONAL_ROWS_MAX else provisional.count()
    return Board(page, ranked, [BoardRow(version, None, rating_of(version)) for version in rows], total)


def board_head(*, game: GameCard, limit: int) -> BoardHead:
    """Return the best of a game; while nobody is ranked, the best of those without a rank (2 queries at most)."""
    ranked = [
        BoardRow(version, rank, version.rating) for rank, version in enumerate(_ranked(game.name)[:limit], start=1)
    ]
    if ranked:
        return BoardHead(game, ranked)
    return BoardHead(game, [BoardRow(v, None, rating_of(v)) for v in _provisional(game.name)[:limit]])


def version_rank(*, version: BotVersion) -> int | None:
    """Return a version's place on its board, or None while it has none."""
    rating = rating_of(version)
    if version.state != BotVersion.State.ACTIVE or rating is None or is_unranked(rating):
        return None
    return _ranked(version.bot.game).filter(_ahead(version, rating)).count() + 1


def version_place(*, version: BotVersion) -> int | None:
    """Return a version's place among all that are active, those without a rank included; None before its first fit."""
    rating = rating_of(version)
    if version.state != BotVersion.State.ACTIVE or rating is None:
        return None
    return _active(version.bot.game).filter(_ahead(version, rating)).count() + 1


def _ahead(version: BotVersion, rating: Rating) -> Q:
    return Q(rating__rating__gt=rating.rating) | Q(rating__rating=rating.rating, bot__lt=version.bot_id)


def rating_of(version: BotVersion) -> Rating | None:
    """Return a version's rating, or None before the first fit that saw it."""
    rating: Rating | None = getattr(version, "rating", None)
    return rating


def _active(game: str) -> QuerySet[BotVersion]:
    versions = BotVersion.objects.filter(bot__game=game, state=BotVersion.State.ACTIVE)
    # The log can be large and no board shows it.
    return versions.select_related("bot__owner", "rating").defer("log")


def _ranked(game: str) -> QuerySet[BotVersion]:
    # The bot's number breaks ties, so that no row jumps between two looks at the page.
    return _active(game).filter(_SETTLED).order_by("-rating__rating", "bot")


def _provisional(game: str) -> QuerySet[BotVersion]:
    unsettled = Q(rating__isnull=True) | ~_SETTLED
    return _active(game).filter(unsettled).order_by(F("rating__rating").desc(nulls_last=True), "bot")
