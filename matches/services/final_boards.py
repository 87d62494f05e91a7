"""Signs the final boards of contests: files that say for ever who came where, and that anybody can verify.

A board is signed once its contest is frozen, its last match has ended and all results are in its ratings. The file is
JSON, and its last line holds the signature of all bytes before it, so that the file alone is enough to verify it. When
matches become void or a bot is disqualified afterwards, a new file is signed that names the one that it replaces.
"""

from __future__ import annotations

import json
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

from common.errors import InputError
from common.queries.cached import cached_changed
from contests.models import Contest
from contests.services.contests import board_unsigned
from jobs.arena_key import arena_sign
from jobs.files.storage import BOARDS, file_store
from matches.models import BoardLock
from matches.selectors.final_boards import board_content, matches_left
from matches.services.board_locks import board_lock
from matches.services.ratings import ratings_refit, ratings_watermark

log = structlog.get_logger(__name__)

_BYTES_MAX = 256 * 2**20


def final_boards_sign() -> None:
    """Sign the boards of frozen contests that have none, or that have changed since theirs was signed (1 query)."""
    locks = BoardLock.objects.filter(contest=OuterRef("pk"))
    frozen = Contest.objects.filter(state=Contest.State.FROZEN).annotate(
        fitted=Subquery(locks.values("rating_watermark")), signed=Subquery(locks.values("signed_watermark"))
    )
    unsigned = frozen.filter(Q(board_digest="") | ~Q(fitted=F("signed")) | Q(fitted=None))
    for contest in unsigned.values_list("slug", flat=True):
        if not matches_left(contest=contest).exists():
            ratings_refit(contest=contest)
            final_board_sign(contest=contest)


@transaction.atomic
def final_board_sign(*, contest: str) -> bool:
    """Sign the board of a contest, unless something is missing: then a later call does it.

    The file is stored before the row names it. A process that dies in between leaves a file to which the next call
    comes again, since the same board has the same bytes.

    Returns:
        Whether it was signed by this call.
    """
    lock = board_lock(contest=contest)  # matches are paired and ratings are written under it
    # The key stays free: results of other kinds of matches refer to the contest while they are recorded.
    found = Contest.objects.select_for_update(no_key=True).filter(slug=contest, state=Contest.State.FROZEN).first()
    if found is None or matches_left(contest=contest).exists():
        return False
    if lock.rating_watermark != ratings_watermark(contest=contest):
        return False
    if found.board_digest and lock.signed_watermark == lock.rating_watermark:
        return False
    data, signature = signed_file(board_content(contest=found, watermark=lock.rating_watermark))
    stored = file_store(store=BOARDS, chunks=[data], max_bytes=_BYTES_MAX)
    found.board_digest, found.board_signature, found.board_signed_at = stored.digest, signature, timezone.now()
    found.save(update_fields=["board_digest", "board_signature", "board_signed_at"])
    lock.signed_watermark = lock.rating_watermark
    lock.save()
    cached_changed()
    log.info("final_board_signed", contest=contest, digest=stored.digest)
    return True


def archive_check(*, contest: str, **_signal: Any) -> None:
    """Refuse to archive a contest whose signed board has changed; a receiver of ``contest_archiving``.

    A bot was disqualified or matches became void after the board was signed, and the next signature is not made yet. An
    archive would keep the older board for ever.

    Raises:
        InputError: matches are being played again, or ratings differ from those of the signed board.
    """
    lock = BoardLock.objects.filter(contest=contest).first()
    if lock is None:
        return
    if matches_left(contest=contest).exists() or lock.signed_watermark != ratings_watermark(contest=contest):
        raise InputError(board_unsigned())


def signed_file(content: dict[str, Any]) -> tuple[bytes, str]:
    """Return a file of JSON whose last line is the signature of all before it, and that signature.

    The signed bytes end before the comma in front of the last line. Readers take them, with a brace, as the content: of
    JSON with the same name twice, most take the second, which somebody might add behind the signature.
    """
    signed = json.dumps(content, ensure_ascii=False, indent=1).removesuffix("\n}").encode()
    signature = arena_sign(signed)
    return signed + f',\n "signature": "{signature}"\n}}\n'.encode(), signature
