"""Boards as CSV or JSON files for download; the file of a whole board is cached until the next fit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.core.cache import caches

from common.sheets import etag_of, sheet_file
from ladder.selectors.boards import BoardFilter, BoardRow, board_all, board_fitted_at
from ladder.selectors.overall import OverallRow

CACHED_SECONDS = 300


def board_etag(*, contest: str, chosen: BoardFilter, kind: str) -> str:
    """Return an ETag that changes whenever the content of the file does (1 query)."""
    content = repr((contest, chosen, kind, board_fitted_at(contest=contest)))
    return etag_of(content.encode())


def board_file(*, contest: str, chosen: BoardFilter, kind: str, etag: str) -> bytes:
    """Return a board as a file, ``csv`` or ``json``, with the bots that are chosen; ``etag`` is its ``board_etag``."""
    # Only whole boards are cached, the newest file of each. The attack: a file takes some MiB where thousands of bots
    # play, so asking for one filter after the other would fill the memory.
    key = f"board-file-{contest}-{kind}"
    cached: tuple[str, bytes] | None = None if chosen else caches["pages"].get(key)
    if cached and cached[0] == etag:
        return cached[1]
    rows = board_all(contest=contest, chosen=chosen)
    values = [[value_of(row) for value_of in _COLUMNS.values()] for row in rows]
    file = sheet_file(kind=kind, names=[*_COLUMNS], rows=values)
    if not chosen:
        caches["pages"].set(key, (etag, file), CACHED_SECONDS)
    return file


def overall_file(*, rows: Sequence[OverallRow], games: Sequence[str], kind: str) -> bytes:
    """Return the board over all games as ``csv`` or ``json``; the games are in the order of the ranks in each row."""
    names = ["rank", "owner", "points", *(f"rank_{game}" for game in games)]
    values = [[row.rank, row.owner, round(row.points, 3), *row.ranks] for row in rows]
    return sheet_file(kind=kind, names=names, rows=values)


_COLUMNS: Mapping[str, Callable[[BoardRow], Any]] = {
    "rank": lambda row: row.rank,
    "rank_best": lambda row: row.rating.rank_best,
    "rank_worst": lambda row: row.rating.rank_worst,
    "provisional": lambda row: row.provisional,
    "bot": lambda row: row.version.bot.pk,
    "name": lambda row: row.version.bot.name,
    "owner": lambda row: row.version.bot.participant,
    "house": lambda row: row.version.bot.is_house,
    "version": lambda row: row.version.number,
    "language": lambda row: row.version.language,
    "league": lambda row: row.league,
    "boss_of": lambda row: row.league_gate,
    "rating": lambda row: row.rating.rating,
    "interval": lambda row: round(row.interval, 3),
    "games": lambda row: row.rating.games,
    "last_match_at": lambda row: row.rating.last_match_at.isoformat() if row.rating.last_match_at else None,
}
