"""Reads what the final boards of contests are made of, and the signed files (``matches.services.final_boards``)."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import structlog
from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from common.errors import StoreAway
from contests.models import Contest
from contests.selectors.contests import bot_limits, tables_of
from games.registry import game_named, game_names
from jobs.arena_key import arena_public_key
from jobs.files.storage import BOARDS, Damaged, file_read
from ladder.models import BotVersion, Rating
from ladder.selectors.ratings import interval_of, rating_provisional
from matches.models import Match

log = structlog.get_logger(__name__)

FORMAT = "Banzuke final board 1"
VERIFY = """\
import json
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

data = Path("final.json").read_bytes()
signed, signature = data.rsplit(b',\\n "signature": "', 1)
if signature[128:] != b'"\\n}\\n':
    raise ValueError("Something stands behind the signature.")
board = json.loads(signed + b"}")
key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(board["public_key"]))
key.verify(bytes.fromhex(signature[:128].decode()), signed)
print("The board of", board["title"], "was signed by the arena whose public key is", board["public_key"])
"""
"""The lines of Python with which anybody verifies a file, on its page and in docs/organise/contests.md."""
State = BotVersion.State
_SIGNED_BEFORE_MAX = 100
"""How many earlier boards of a contest are looked through at most."""


def matches_left(*, contest: str) -> QuerySet[Match]:
    """Return the rated matches of a contest that wait or are being played."""
    in_flight = (Match.State.QUEUED, Match.State.RUNNING)
    return Match.objects.filter(contest=contest, state__in=in_flight, kind=Match.Kind.LADDER)


def board_content(*, contest: Contest, watermark: str) -> dict[str, Any]:
    """Return what a final board says, without its signature (2 queries).

    It holds no moment of its own making: when a process dies while it signs, the next one makes the same file.

    Args:
        contest: the frozen contest.
        watermark: of the fit that the board shows (``BoardLock.rating_watermark``).
    """
    rows = Rating.objects.filter(contest=contest, listed=True, version__state__in=BotVersion.ON_BOARD)
    rows = rows.select_related("version__bot__owner", "version__bot__team").defer("version__log")
    board = list(rows.order_by("-board_rating", "version"))
    return {
        "format": FORMAT,
        "arena": settings.BANZUKE_URL,
        "contest": contest.slug,
        "title": str(contest),
        "game": contest.game,
        "rules_version": game_named(contest.game).rules_version if contest.game in game_names() else "",
        "ruleset": contest.ruleset,
        "options": contest.options,
        "tables": {str(size): share for size, share in tables_of(contest=contest).items()},
        "limits": msgspec.to_builtins(bot_limits(contest=contest)),
        "languages": contest.languages,
        "entries_until": contest.entries_until and contest.entries_until.isoformat(),
        "frozen_at": contest.frozen_at and contest.frozen_at.isoformat(),
        "fitted_at": max((row.fitted_at.isoformat() for row in board), default=None),
        "matches": Match.objects.rated().filter(contest=contest).count(),
        "match_log": watermark,
        "replaces": contest.board_digest or None,
        "board": [_row(row) for row in board],
        "public_key": arena_public_key(),
    }


def _row(rating: Rating) -> dict[str, Any]:
    """Return a row of the board. A version without a rated match stands at the end, with the reason and no rank."""
    version, bot = rating.version, rating.version.bot
    return {
        "rank": rating.rank,
        "unranked": None if rating.games else ("probation" if version.state == State.PROBATION else "no_rated_match"),
        "rank_best": rating.rank_best,
        "rank_worst": rating.rank_worst,
        "provisional": rating_provisional(rating),
        "bot": bot.pk,
        "name": bot.name,
        "owner": bot.owner.username,
        "team": bot.team.name if bot.team else None,
        "house": bot.is_house,
        "version": version.number,
        "language": version.language,
        "program": version.bundle_digest,
        "rating": rating.rating,
        "interval": interval_of(rating),
        "games": rating.games,
    }


def final_board_file(*, contest: Contest, digest: str = "") -> bytes | None:
    """Return the file of a contest's final board, or of an earlier one that it replaces (no query).

    Args:
        contest: any contest.
        digest: SHA-256 of the file; empty: the newest.

    Returns:
        None if the contest has no such board.

    Raises:
        StoreAway: the store does not answer, or the file is damaged.
    """
    wanted, found = digest or contest.board_digest, contest.board_digest
    for _earlier in range(_SIGNED_BEFORE_MAX):
        if not found:
            return None
        data = _stored(found)
        if found == wanted:
            return data
        found = json.loads(data)["replaces"]
    return None


def _stored(digest: str) -> bytes:
    try:
        return file_read(store=BOARDS, digest=digest)
    except (OSError, Damaged) as error:
        log.exception("final_board_unreadable", digest=digest)
        raise StoreAway(_("Final boards cannot be read just now. Please try again in a few minutes.")) from error
