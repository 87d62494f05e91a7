"""The download of match logs."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Callable
from typing import IO

from allauth.core.ratelimit import consume_or_429
from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from contests.shortcuts import contest_or_404
from matches.log_files import LogFile, log_file, log_open

CHUNK_BYTES = 64 * 1024
LOOK_SECONDS = 0.05
"""How long a download waits before it looks again whether more has been written."""
_GZIP = 16
"""Added to zlib's window bits: the data begins with a gzip header."""


@require_safe
async def game_log(request: HttpRequest, place: str) -> HttpResponseBase:
    """Serve the match log of a contest, JSON lines of versions and matches from which anybody can fit its board."""
    contest = (await sync_to_async(contest_or_404)(request, place)).slug
    # Without limit_get allauth does not count GET requests.
    too_often: HttpResponse | None = await sync_to_async(consume_or_429)(request, action="log", limit_get=True)
    if too_often:
        return too_often
    file = await sync_to_async(_log_file)(contest)
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    etag = f'"{file.watermark}{"-gzip" if packed else ""}"'
    # The file is opened before the response begins, since a newer log may take its place. A local file opens fast.
    response = get_conditional_response(request, etag=etag) or StreamingHttpResponse(
        _chunks(*log_open(file), packed=packed), content_type="application/x-ndjson"
    )
    response["ETag"] = etag
    response["Content-Disposition"] = f'attachment; filename="{contest}.jsonl"'
    response["Cache-Control"] = "no-cache"  # ``ContestHeaders`` makes it private where that is due
    if packed:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _log_file(contest: str) -> LogFile:
    file = log_file(contest=contest)
    # A download of minutes must not hold a connection to the database.
    close_old_connections()
    return file


async def _chunks(file: IO[bytes], is_whole: Callable[[], bool], *, packed: bool) -> AsyncIterator[bytes]:
    """Yield a log's bytes in chunks, also those that are written meanwhile; unless ``packed``, without gzip."""
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | _GZIP)
    with file:
        while True:
            whole = is_whole()  # asked before reading, so that nothing written before the end is missed
            while chunk := await sync_to_async(file.read)(CHUNK_BYTES):
                yield chunk if packed else await sync_to_async(unpacking.decompress)(chunk)
            if whole:
                return
            await asyncio.sleep(LOOK_SECONDS)
