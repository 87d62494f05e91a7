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

_FILES = {"results": ("results.jsonl.zst", "application/zstd"), "replays": ("replays.tar", "application/x-tar")}
"""How the name of each file ends, and its content type."""


def day_answer(request: HttpRequest, files: DayFiles, kind: str) -> HttpResponseBase | None:
    """Return a response with the ``results`` or the ``replays`` of a day; None if there are none any more.

    Raises:
        StoreAway: the file cannot be read now.
    """
    digest = files.results_digest if kind == "results" else files.replays_digest
    if not digest:
        return None
    name, content_type = _FILES[kind]
    answer = get_conditional_response(request, etag=f'"{digest}"') or _whole(digest, content_type)
    answer["Content-Disposition"] = f'attachment; filename="{files.contest_id}-{files.day}-{name}"'
    audience = "public" if files.contest.is_for_everybody else "private"
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
