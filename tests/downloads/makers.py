"""Matches that ended on a day, and what is in the files of a day, for tests."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import zstandard
from django.utils import timezone

from downloads.models import DayFiles
from jobs.files.storage import DOWNLOADS, file_read
from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version

YESTERDAY = (timezone.now() - timedelta(hours=1)).astimezone(UTC).date() - timedelta(days=1)
"""The newest day that has files now."""


def played(day: date = YESTERDAY, hour: int = 12, **fields: object) -> Match:
    """Return a match that ended on a day."""
    names = [f"{name} {Match.objects.count()}" for name in ("Moat", "Keep")]
    match = finish_match(make_match(*(make_version(name) for name in names), **fields))
    ended = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
    Match.objects.filter(pk=match.pk).update(finished_at=ended)
    return match


def lines_of(files: DayFiles) -> list[bytes]:
    """Return the lines of the results of a day."""
    data = file_read(store=DOWNLOADS, digest=files.results_digest)
    assert len(data) == files.results_bytes
    return zstandard.ZstdDecompressor().decompressobj().decompress(data).splitlines()
