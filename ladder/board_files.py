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


def board_etag(*, game: str, chosen: BoardFilter, kind: str) -> str:
    """Return what changes whenever the file does (1 query)."""
    content = repr((game, chosen, kind, board_fitted_at(game=game)))
    return f'"{hashlib.sha256(content.encode()).hexdigest()[:32]}"'


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
    file = KINDS[kind](_records(game, chosen))
    if not chosen:
        caches["pages"].set(key, (etag, file), KEPT_SECONDS)
    return file


def _records(game: str, chosen: BoardFilter) -> list[dict[str, Any]]:
    return [_record(row) for row in board_all(game=game, chosen=chosen)]


def _record(row: BoardRow) -> dict[str, Any]:
    bot = row.version.bot
    played = row.rating.last_match_at
    return {
        "rank": row.rank,
        "rank_best": row.rating.rank_best,
        "rank_worst": row.rating.rank_worst,
        "bot": bot.pk,
        "name": bot.name,
        "owner": bot.owner.username,
        "house": bot.is_house,
        "version": row.version.number,
        "language": row.version.language,
        "league": row.league,
        "boss_of": row.door,
        "rating": row.rating.rating,
        "interval": round(row.interval, 3),
        "games": row.rating.games,
        "last_match_at": played.isoformat() if played else None,
    }


def _json(records: list[dict[str, Any]]) -> bytes:
    return json.dumps(records, ensure_ascii=False, separators=(",", ":")).encode()


def _csv(records: list[dict[str, Any]]) -> bytes:
    file = io.StringIO()
    if records:
        writer = csv.DictWriter(file, records[0].keys())
        writer.writeheader()
        writer.writerows({key: _cell(value) for key, value in record.items()} for record in records)
    return file.getvalue().encode()


def _cell(value: object) -> object:
    """Return a value as no spreadsheet takes for a formula: names are chosen by strangers."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


KINDS: Mapping[str, Callable[[list[dict[str, Any]]], bytes]] = {"csv": _csv, "json": _json}
CONTENT_TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
