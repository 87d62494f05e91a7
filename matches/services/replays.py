"""Deletes stored replays and turn logs: those that the ladder has released, and those that an archive does not keep."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import structlog
from django.core.files.storage import storages
from django.db.models import QuerySet
from django.utils import timezone

from contests.models import Contest
from jobs.files.storage import REPLAYS
from ladder.models import BotVersion
from matches.models import Result
from matches.selectors.replays_kept import MATCHES_MAX, digests_of, matches_to_thin, thinning_count, thinning_of

log = structlog.get_logger(__name__)

THIN_SECONDS = 5.0
"""How long a managing process deletes replays before it does other work again."""
_BATCH = 200
_SEARCHED = 5_000
"""For how many matches one query looks up which of their replays other rows have, too."""


def replays_delete(*, digests: set[str]) -> None:
    """Delete stored replays and turn logs, except those that a match or a version has: equal files are stored once.

    ``digests`` are the SHA-256 of their contents. The attack: a host reports the replay of somebody's match as the
    replay of a check match, so that the site deletes it with the check match.
    """
    for digest in digests - _referred(digests, Result.objects.all(), "replay_digest", "log_digest") - _checks(digests):
        storages[REPLAYS].delete(digest)


def replays_thin() -> None:
    """Delete replays that the rules of archived contests do not keep, for ``THIN_SECONDS`` and one batch at most.

    The matches stay, and their pages say that the replay is gone. For contests that are frozen, and may be archived
    next, it counts what that would delete, since pages tell it beforehand.
    """
    thinned = Contest.objects.filter(replays_kept__isnull=False, replays_thinned_at__isnull=True)
    for contest in thinned.filter(state=Contest.State.FROZEN).exclude(board_digest=""):
        if thinning_of(contest=contest) is None:
            counted = asdict(thinning_count(contest=contest))
            Contest.objects.filter(pk=contest.pk).update(replays_thinning=counted)
    for contest in thinned.filter(state=Contest.State.ARCHIVED).order_by("changed_at"):
        if not _thin_some(contest):
            return


def _thin_some(contest: Contest) -> bool:
    """Delete replays that an archived contest does not keep, for ``THIN_SECONDS``; return whether none is left."""
    found = matches_to_thin(contest=contest)
    until = time.monotonic() + THIN_SECONDS
    for start in range(0, len(found), _SEARCHED):
        matches = found[start : start + _SEARCHED]
        used = _used_elsewhere(matches)
        for first in range(0, len(matches), _BATCH):
            _thin(matches[first : first + _BATCH], used)
            if time.monotonic() > until:
                return False
    if len(found) == MATCHES_MAX:
        return False
    Contest.objects.filter(pk=contest.pk).update(replays_thinned_at=timezone.now())
    log.info("replays_thinned", contest=contest.pk)
    return True


def _used_elsewhere(matches: Sequence[int]) -> set[str]:
    """Return the digests of those replays and logs of matches that other matches or versions have, too.

    No index leads from a digest to its matches, so the whole table is read: seldom, for many matches at once.
    """
    digests = digests_of(results=Result.objects.filter(match__in=matches))
    others = Result.objects.exclude(match__in=matches)
    return _referred(digests, others, "replay_digest", "log_digest") | _checks(digests)


def _thin(matches: Sequence[int], used: set[str]) -> None:
    """Delete the replays and logs of matches, then their digests from the rows.

    The rows come last: a process that dies in between leaves rows of which the next one deletes the files again.
    """
    results = Result.objects.filter(match__in=matches)
    for digest in digests_of(results=results) - used:
        storages[REPLAYS].delete(digest)
    results.update(replay_digest="", log_digest="")


def _checks(digests: set[str]) -> set[str]:
    """Return those of the digests that check matches of versions have (2 queries)."""
    return _referred(digests, BotVersion.objects.all(), "check_replay_digest", "check_log_digest")


def _referred(digests: set[str], rows: QuerySet[Any], *fields: str) -> set[str]:
    found = set[str]()
    for field in fields:
        found |= set(rows.filter(**{f"{field}__in": digests}).values_list(field, flat=True))
    return found
