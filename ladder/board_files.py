"""A board as a file, CSV or JSON: made once for each fit and kept for a while."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.cache import caches

from common.table_files import etag_of, table_file
from ladder.selectors.boards import BoardFilter, BoardRow, board_all, board_fitted_at
from ladder.selectors.overall import OverallRow

KEPT_SECONDS = 300


def board_etag(*, game: str, chosen: BoardFilter, kind: str) -> str:
    """Return what changes whenever the file does (1 query)."""
    content = repr((game, chosen, kind, board_fitted_at(game=game)))
    return etag_of(content.encode())


def board_file(*, game: str, chosen: BoardFilter, kind: str, etag: str) -> bytes:
    """Return a board as a file.

    Args:
        game: name of the game.
        chosen: which bots.
        kind: ``csv`` or ``json``.
        etag: of the file.
    """
    # Only whole boards are kept, and of each only the newest. Each takes some MiB where thousands of bots play: by
    # asking for one filter after the other, or after every fit, anybody could fill the memory.
    key = f"board-file-{game}-{kind}"
    kept: tuple[str, bytes] | None = None if chosen else caches["pages"].get(key)
    if kept and kept[0] == etag:
        return kept[1]
    rows = board_all(game=game, chosen=chosen)
    values = [[value_of(row) for value_of in _COLUMNS.values()] for row in rows]
    file = table_file(kind=kind, names=[*_COLUMNS], rows=values)
    if not chosen:
        caches["pages"].set(key, (etag, file), KEPT_SECONDS)
    return file


def overall_file(*, rows: Sequence[OverallRow], games: Sequence[str], kind: str) -> bytes:
    """Return the board over all games as a file.

    Args:
        rows: of the board.
        games: names of the games, in the order of the ranks in each row.
        kind: ``csv`` or ``json``.
    """
    names = ["rank", "owner", "points", *(f"rank_{game}" for game in games)]
    values = [[row.rank, row.owner, round(row.points, 3), *row.ranks] for row in rows]
    return table_file(kind=kind, names=names, rows=values)


def _played(row: BoardRow) -> str | None:
    played = row.rating.last_match_at
    return played.isoformat() if played else None


_COLUMNS: Mapping[str, Callable[[BoardRow], Any]] = {
    "rank": lambda row: row.rank,
    "rank_best": lambda row: row.rating.rank_best,
    "rank_worst": lambda row: row.rating.rank_worst,
    "provisional": lambda row: row.provisional,
    "bot": lambda row: row.version.bot.pk,
    "name": lambda row: row.version.bot.name,
    "owner": lambda row: row.version.bot.owner.username,
    "house": lambda row: row.version.bot.is_house,
    "version": lambda row: row.version.number,
    "language": lambda row: row.version.language,
    "league": lambda row: row.league,
    "boss_of": lambda row: row.door,
    "rating": lambda row: row.rating.rating,
    "interval": lambda row: round(row.interval, 3),
    "games": lambda row: row.rating.games,
    "last_match_at": _played,
}
