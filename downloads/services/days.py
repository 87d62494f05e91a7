"""Makes the files of days that are over, and deletes old tars of replays."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

import msgspec
import structlog
import zstandard
from django.conf import settings
from django.core.files.storage import storages
from django.db.models import Prefetch

from contests.models import Contest
from core.tars import ArchiveEntry, tar_chunks
from downloads.lines import FORMAT, DayLine, match_line
from downloads.models import DayFiles
from downloads.selectors.days import day_due, matches_of_day, replays_end
from jobs.celery_app import app
from jobs.coordination import redis_lock
from jobs.files.storage import DOWNLOADS, REPLAYS, Damaged, StoredFile, file_read, file_store, stores_free_bytes
from matches.models import Match, Seat

FREE_BYTES_MIN = 2 * 2**30
"""With less free disk space no tar of replays is made: the space is needed for the replays of coming matches."""
_LEVEL = 9
_BATCH = 1_000
_SECONDS_MAX = 3_600

log = structlog.get_logger(__name__)


def days_make_in_turn() -> None:
    """Make the files of all days that are over, unless another process does so now."""
    with redis_lock(app, "downloads", seconds_max=_SECONDS_MAX, rest=0) as is_mine:
        if is_mine:
            days_make()


def days_make() -> None:
    """Delete old tars of replays, and make the files of all days that are over, the oldest first.

    Raises:
        OSError: a store does not answer, or is full; the next call goes on.
    """
    replays_forget()
    while due := day_due():
        contest, day = due
        made = day_make(contest=contest, day=day)
        log.info("day_files_made", contest=contest, day=str(day), matches=made.matches, replays=made.replays)


def day_make(*, contest: str, day: date) -> DayFiles:
    """Make the files of a day (UTC) that is over, of the contest with this key, and return their row.

    Two processes that do so at once make equal files, and one row.

    Raises:
        OSError: a store does not answer, or is full.
    """
    ended = matches_of_day(day=day).filter(contest=contest).order_by("finished_at", "pk")
    # Read once, so that both files are of the same matches, even if one becomes void meanwhile.
    digests = dict(ended.values_list("pk", "result__replay_digest"))
    lines = _lines(Contest.objects.get(pk=contest), day, [*digests])
    results = file_store(store=DOWNLOADS, chunks=_packed(lines), max_bytes=sys.maxsize)
    replays, tar = 0, StoredFile("", 0)
    if day >= replays_end() and stores_free_bytes() >= FREE_BYTES_MIN:
        replays, tar = _replays_store(digests)
    row, _made = DayFiles.objects.get_or_create(
        contest_id=contest,
        day=day,
        defaults={
            "matches": len(digests),
            "results_digest": results.digest,
            "results_bytes": results.size_bytes,
            "replays": replays,
            "replays_digest": tar.digest,
            "replays_bytes": tar.size_bytes,
        },
    )
    return row


def replays_forget() -> None:
    """Delete the tars of replays that are older than ``REPLAYS_DAYS``.

    The rows come last: a process that dies in between leaves rows of which the next one deletes the files again.
    """
    for row in DayFiles.objects.filter(day__lt=replays_end()).exclude(replays_digest=""):
        storages[DOWNLOADS].delete(row.replays_digest)
        DayFiles.objects.filter(pk=row.pk).update(replays_digest="")


def _lines(contest: Contest, day: date, matches: Sequence[int]) -> Iterator[msgspec.Struct]:
    """Yield the lines of a file of results."""
    yield DayLine(FORMAT, settings.PUBLIC_URL, contest.pk, str(contest), contest.game, day, len(matches))
    of_seats = ("match", "index", "rank", "score", "verdict", "cpu_ms_total", "cpu_ms_worst")
    of_bots = ("version__number", "version__language", "version__bot__name")
    rows = Seat.objects.select_related("version__bot").only(*of_seats, *of_bots)
    seats = Prefetch("seats", queryset=rows.order_by("index"))
    whole = Match.objects.select_related("result").prefetch_related(seats)
    for start in range(0, len(matches), _BATCH):
        batch = whole.in_bulk(matches[start : start + _BATCH])
        for pk in matches[start : start + _BATCH]:
            yield match_line(batch[pk])


def _packed(lines: Iterator[msgspec.Struct]) -> Iterator[bytes]:
    """Yield lines as JSON in one zstandard frame."""
    packer = zstandard.ZstdCompressor(level=_LEVEL).compressobj()
    for line in lines:
        yield packer.compress(msgspec.json.encode(line) + b"\n")
    yield packer.flush()


def _replays_store(digests: Mapping[int, str]) -> tuple[int, StoredFile]:
    """Store a tar of the replays of matches, given as digests by key of the match.

    Returns how many replays are in it, and the stored file; 0 and a file without digest if there were none.
    """
    count = 0

    def entries() -> Iterator[ArchiveEntry]:
        nonlocal count
        for match, digest in digests.items():
            if not digest:  # the rule of an archived contest has deleted it
                continue
            try:
                data = file_read(store=REPLAYS, digest=digest)
            except (FileNotFoundError, Damaged):  # deleted by hand; the match's page says the same
                continue
            count += 1
            yield ArchiveEntry(f"match-{match}.jsonl.zst", data)

    stored = file_store(store=DOWNLOADS, chunks=tar_chunks(entries()), max_bytes=sys.maxsize)
    return (count, stored) if count else (0, StoredFile("", 0))
