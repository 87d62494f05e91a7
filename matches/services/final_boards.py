"""Signs the final boards of contests: files that say for ever who came where, and that anybody can verify.

A board is signed once its contest is frozen, its finals are over (``matches.services.finals``) and all results are in
its ratings. The file is JSON, and its last line holds the signature of all bytes before it, so that the file alone is
enough to verify it. When matches become void or a bot is disqualified afterwards, a new file is signed that names the
one that it replaces.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import structlog
from django.db import transaction
from django.db.models import F, OuterRef, Q, Subquery
from django.utils import timezone

from common.errors import InputError
from common.queries.cached import cached_changed
from contests.models import Contest, FinalBoard
from contests.services.contests import board_unsigned
from contests.services.finals import final_transition
from jobs.arena_key import arena_sign
from jobs.files.storage import BOARDS, file_store
from ladder.services.honours import contest_over_notify, honours_set
from matches.models import BoardLock
from matches.selectors.final_boards import board_content, matches_left
from matches.services.board_locks import board_lock
from matches.services.finals import finals_advance
from matches.services.ratings import ratings_refit, ratings_watermark

log = structlog.get_logger(__name__)

Stage = Contest.FinalStage
_BYTES_MAX = 256 * 2**20


def final_boards_sign(*, at: datetime | None = None) -> None:
    """Move the finals of frozen contests on, and sign boards that are final or have changed since they were signed.

    1 query if there is nothing to do. ``at`` is the time; None means that of the database's clock.
    """
    locks = BoardLock.objects.filter(contest=OuterRef("pk"))
    frozen = Contest.objects.filter(state=Contest.State.FROZEN).annotate(
        fitted=Subquery(locks.values("rating_watermark")), signed=Subquery(locks.values("signed_watermark"))
    )
    unsigned = frozen.filter(~Q(final_stage=Stage.SIGNED) | ~Q(fitted=F("signed")) | Q(fitted=None))
    for contest in unsigned.values_list("slug", flat=True):
        if finals_advance(contest=contest, at=at):
            ratings_refit(contest=contest)
            final_board_sign(contest=contest)


@transaction.atomic
def final_board_sign(*, contest: str) -> bool:
    """Sign the board of a frozen contest once its rated matches have ended and its ratings have them; else do nothing.

    The file is stored before the row names it. A process that dies in between leaves a file to which the next call
    comes again, since the same board has the same bytes. The first board of a freeze ends the contest: its winners get
    their honours, and participants are notified.

    Returns:
        Whether it was signed by this call.

    Raises:
        django.db.IntegrityError: the board was signed already; the database knows it, whatever this process believes.
    """
    lock = board_lock(contest=contest)  # matches are paired and ratings are written under it
    # The key stays free: results of other kinds of matches refer to the contest while they are recorded.
    final = {"state": Contest.State.FROZEN, "final_stage__in": (Stage.FITTING, Stage.SIGNED)}
    found = Contest.objects.select_for_update(no_key=True).filter(slug=contest, **final).first()
    if found is None or matches_left(contest=contest).exists():
        return False
    if lock.rating_watermark != ratings_watermark(contest=contest):
        return False
    if found.board_digest and lock.signed_watermark == lock.rating_watermark:
        if found.final_stage == Stage.FITTING:
            # An older version of the arena, which knows no stages, signed this board after the database was migrated.
            _contest_end(found)
        return False
    data, signature = signed_file(board_content(contest=found, watermark=lock.rating_watermark))
    stored = file_store(store=BOARDS, chunks=[data], max_bytes=_BYTES_MAX)
    _board_note(found, digest=stored.digest, signature=signature)
    lock.signed_watermark = lock.rating_watermark
    lock.save()
    cached_changed()
    log.info("final_board_signed", contest=contest, digest=stored.digest)
    return True


def _board_note(contest: Contest, *, digest: str, signature: str) -> None:
    """Write a signed board into the rows of its contest, which the caller has locked, and give out honours."""
    now, frozen_at = timezone.now(), contest.frozen_at or contest.created_at
    FinalBoard.objects.create(
        contest=contest, frozen_at=frozen_at, replaces=contest.board_digest, digest=digest, signed_at=now
    )
    contest.board_digest, contest.board_signature, contest.board_signed_at = digest, signature, now
    contest.save(update_fields=["board_digest", "board_signature", "board_signed_at"])
    if contest.final_stage == Stage.SIGNED:
        honours_set(contest=contest)
    else:
        _contest_end(contest)


def _contest_end(contest: Contest) -> None:
    """End a contest whose first board is signed: its winners get their honours, and participants are notified."""
    final_transition(contest=contest, to=Stage.SIGNED)
    contest.save(update_fields=["final_stage", "final_since"])
    honours_set(contest=contest)
    contest_over_notify(contest=contest)


def archive_check(*, contest: str, **_signal: Any) -> None:
    """Refuse to archive a contest whose signed board has changed, by InputError; a receiver of ``contest_archiving``.

    A bot was disqualified or matches became void after the board was signed, and the next signature is not made yet:
    matches are played again, or ratings differ. An archive would keep the older board for ever.
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
