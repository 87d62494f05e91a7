"""The finals of a frozen contest: takes it from stage to stage until its board can be signed.

1. ``building``: versions that came in time are built, and play their check matches.
2. ``playing``: matches are paired (``matches.services.pairing``) until each version has its ``final_games``, and until
   no upload that came in time can still be on its way into the database.
3. ``fitting``: nothing is paired any more. When the last match has ended, ``matches.services.final_boards`` fits the
   ratings once more and signs the board.
4. ``signed``.

At ``final_by`` a contest goes to the third stage wherever it is; matches that no worker has begun become void. Each
step is a transaction of its own under the lock of the board and of the contest: of two managers the second finds it
done, and one that dies leaves the stage before or the stage after.
"""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction
from django.db.models.functions import Now

from common.queries.cached import cached_changed
from common.queries.sql import database_now
from contests.models import Contest
from contests.services.finals import final_transition
from core.message import Message
from ladder.selectors.builds import builds_in_time
from matches.models import Match
from matches.selectors.final_boards import matches_left
from matches.services.board_locks import board_lock
from matches.services.lifecycle import matches_void
from matches.services.pairing import matches_pair

log = structlog.get_logger(__name__)

Stage = Contest.FinalStage
VOID_REASON = Message("match-final-by")


def finals_advance(*, contest: str, at: datetime | None = None) -> bool:
    """Move a contest, named by its slug, on to the final stage that is due; return whether its board can be signed.

    It can in the stages FITTING and SIGNED, once no rated match waits or is being played; a contest that is not frozen
    cannot. If ``final_by`` has passed, rated matches that still wait for a worker become void. ``at`` is the time with
    which ``final_by`` is compared; None: the database's clock.
    """
    before, stage = None, _stage_next(contest, at)
    while stage != before:
        before, stage = stage, _stage_next(contest, at)
    if stage == Stage.FITTING and _is_late(contest, at):
        _queued_void(contest)
    return stage in (Stage.FITTING, Stage.SIGNED) and not matches_left(contest=contest).exists()


@transaction.atomic
def _stage_next(contest: str, at: datetime | None) -> str:
    """Move a contest to its next stage if the present one is done; return its stage, empty if it is not frozen."""
    board_lock(contest=contest)  # matches are paired under it
    # The whole lock, also of the key: a version that is being activated holds its contest (``contest_hold``), so that
    # it is either seen here as a build, or refused as too late.
    found = Contest.objects.select_for_update().filter(slug=contest, state=Contest.State.FROZEN).first()
    if found is None:
        return ""
    to = _stage_due(found, at)
    if to != found.final_stage:
        final_transition(contest=found, to=to)
        found.save(update_fields=["final_stage", "final_since"])
        cached_changed()
        log.info("finals_moved", contest=contest, stage=to)
    return found.final_stage


def _stage_due(contest: Contest, at: datetime | None) -> Stage:
    """Return the stage that a contest should be in by what is built, paired and played; pair its matches if it is due.

    The caller's transaction has locked the contest's row.
    """
    if contest.final_stage in (Stage.FITTING, Stage.SIGNED):
        return Stage(contest.final_stage)
    if _is_late(contest.pk, at):
        return Stage.FITTING
    if builds_in_time(contest=contest).exists():
        return Stage.BUILDING
    if contest.final_stage != Stage.PLAYING or matches_left(contest=contest.pk).exists():
        return Stage.PLAYING
    # Whoever still lacks games and can meet somebody is paired now; if nobody can, all have what they can get.
    if matches_pair(contest=contest.pk) or contest.stores_until() > (at or database_now()):
        return Stage.PLAYING
    return Stage.FITTING


def _is_late(contest: str, at: datetime | None) -> bool:
    return Contest.objects.filter(pk=contest, final_by__lte=at or Now()).exists()


@transaction.atomic
def _queued_void(contest: str) -> None:
    """Make the rated matches of a contest void that wait for a worker; those that are being played are played on."""
    waiting = matches_left(contest=contest).filter(state=Match.State.QUEUED).order_by("pk")
    matches = list(waiting.select_for_update(no_key=True, skip_locked=True))
    if matches:
        matches_void(matches=matches, reason=VOID_REASON)
        log.info("final_matches_cut", contest=contest, matches=len(matches))
