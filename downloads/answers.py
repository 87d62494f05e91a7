"""Answers with the files of a day, for the site and the API."""

from __future__ import annotations

from django.core.files.storage import storages
from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _

from common.errors import StoreAway
from downloads.models import DayFiles
from jobs.files.storage import DOWNLOADS
from jobs.files.transfers import AS_A_FILE, file_chunks
from matches.replay_files import cached_forever


def results_answer(request: HttpRequest, files: DayFiles) -> HttpResponseBase:
    """Return a response with the results of a day.

    Raises:
        StoreAway: the file cannot be read now.
    """
    name = f"{files.contest_id}-{files.day}-results.jsonl.zst"
    return _answer(request, files, files.results_digest, name, "application/zstd")


def replays_answer(request: HttpRequest, files: DayFiles) -> HttpResponseBase | None:
    """Return a response with the replays of a day; None if there are none any more.

    Raises:
        StoreAway: the file cannot be read now.
    """
    if not files.replays_digest:
        return None
    name = f"{files.contest_id}-{files.day}-replays.tar"
    return _answer(request, files, files.replays_digest, name, "application/x-tar")


def _answer(request: HttpRequest, files: DayFiles, digest: str, name: str, content_type: str) -> HttpResponseBase:
    audience = "public" if files.contest.is_for_everybody else "private"
    answer = get_conditional_response(request, etag=f'"{digest}"') or _whole(digest, content_type)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return cached_forever(answer, etag=digest, audience=audience)


def _whole(digest: str, content_type: str) -> HttpResponseBase:
    try:
        file = storages[DOWNLOADS].open(digest)
    except OSError as error:
        raise StoreAway(_("Downloads cannot be read just now. Please try again in a few minutes.")) from error
    # A download of minutes must not hold a connection to the database.
    close_old_connections()
    headers = {"Content-Length": str(file.size), **AS_A_FILE}
    return StreamingHttpResponse(file_chunks(file), content_type=content_type, headers=headers)
