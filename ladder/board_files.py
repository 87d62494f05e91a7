"""A board as a file, CSV or JSON: made once for each fit and kept for a while."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Callable, Mapping
from typing import Any

from django.core.cache import caches

from ladder.selectors.boards import BoardFilter, BoardRow, board_all, board_fitted_at

KEPT_SECONDS = 300


def board_etag(*, game: str, chosen: BoardFilter, provisional: bool, kind: str) -> str:
    """Return what changes whenever the file does (1 query)."""
    content = repr((game, chosen, provisional, kind, board_fitted_at(game=game)))
    return f'"{hashlib.sha256(content.encode()).hexdigest()[:32]}"'


def board_file(*, game: str, chosen: BoardFilter, provisional: bool, kind: str, etag: str) -> bytes:
    """Return a board as a file.

    Args:
        game: name of the game.
        chosen: which bots.
        provisional: those without a rank, and no others.
        kind: ``csv`` or ``json``.
        etag: of the file.
    """
    # Only whole boards are kept, and of each only the newest. Each takes some MiB where thousands of bots play: by
    # asking for one filter after the other, or after every fit, anybody could fill the memory.
    key = f"board-file-{game}-{provisional}-{kind}"
    kept: tuple[str, bytes] | None = None if chosen else caches["pages"].get(key)
    if kept and kept[0] == etag:
        return kept[1]
    file = KINDS[kind](_records(game, chosen, provisional))
    if not chosen:
        caches["pages"].set(key, (etag, file), KEPT_SECONDS)
    return file


def _records(game: str, chosen: BoardFilter, provisional: bool) -> list[dict[str, Any]]:
    rows = board_all(game=game, chosen=chosen, provisional=provisional)
    return [{name: value_of(row) for name, value_of in _COLUMNS.items()} for row in rows]


def _played(row: BoardRow) -> str | None:
    played = row.rating.last_match_at
    return played.isoformat() if played else None


_COLUMNS: Mapping[str, Callable[[BoardRow], Any]] = {
    "rank": lambda row: row.rank,
    "rank_best": lambda row: row.rating.rank_best,
    "rank_worst": lambda row: row.rating.rank_worst,
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


def _json(records: list[dict[str, Any]]) -> bytes:
    return json.dumps(records, ensure_ascii=False, separators=(",", ":")).encode()


def _csv(records: list[dict[str, Any]]) -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, _COLUMNS)  # named without rows, too: what reads tables refuses an empty file
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in record.items()} for record in records)
    # With a mark before it: without one, Excel reads names by the encoding of its country. Programs may have JSON.
    return file.getvalue().encode("utf-8-sig")


def _cell(value: object) -> object:
    """Return a value as no spreadsheet takes for a formula: names are chosen by strangers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


KINDS: Mapping[str, Callable[[list[dict[str, Any]]], bytes]] = {"csv": _csv, "json": _json}
CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
