"""Replays and logs of turns that the ladder has no use for any more."""

from __future__ import annotations

from django.core.files.storage import storages

from jobs.files.storage import REPLAYS
from matches.models import Result


def replays_delete(*, digests: set[str]) -> None:
    """Delete stored replays and logs of turns, except those of matches: equal files are stored once.

    The attack: a host reports the replay of somebody's match as that of a check match, and has it deleted so.

    Args:
        digests: SHA-256 of what is in them.
    """
    for field in ("replay_digest", "log_digest"):
        digests = digests - set(Result.objects.filter(**{f"{field}__in": digests}).values_list(field, flat=True))
    for digest in digests:
        storages[REPLAYS].delete(digest)
