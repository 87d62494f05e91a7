"""Deletes stored replays and turn logs that the ladder has released."""

from __future__ import annotations

from django.core.files.storage import storages

from jobs.files.storage import REPLAYS
from matches.models import Result


def replays_delete(*, digests: set[str]) -> None:
    """Delete stored replays and turn logs, except those that a match has: equal files are stored once.

    The attack: a host reports the replay of somebody's match as the replay of a check match, so that the site deletes
    it with the check match.

    Args:
        digests: SHA-256 of the files' contents.
    """
    for field in ("replay_digest", "log_digest"):
        digests = digests - set(Result.objects.filter(**{f"{field}__in": digests}).values_list(field, flat=True))
    for digest in digests:
        storages[REPLAYS].delete(digest)
