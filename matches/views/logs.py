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

from ladder.shortcuts import game_or_404
from matches.log_files import LogFile, log_file, log_open

CHUNK_BYTES = 64 * 1024
LOOK_SECONDS = 0.05
"""How often it is looked whether more has been written."""
_GZIP = 16
"""Tells zlib to expect gzip's head."""


@require_safe
async def game_log(request: HttpRequest, game: str) -> HttpResponseBase:
    """Serve the log of a game: versions and rated matches, one a line, from which anybody can compute the board."""
    game_or_404(game)
    # Of requests that only look allauth counts none unless told.
    too_often: HttpResponse | None = await sync_to_async(consume_or_429)(request, action="log", limit_get=True)
    if too_often:
        return too_often
    file = await sync_to_async(_log_file)(game)
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    etag = f'"{file.watermark}{"-gzip" if packed else ""}"'
    # A file on a local disk opens at once. Before it is told of: a newer one may take its place.
    response = get_conditional_response(request, etag=etag) or StreamingHttpResponse(
        _chunks(*log_open(file), packed=packed), content_type="application/x-ndjson"
    )
    response["ETag"] = etag
    response["Content-Disposition"] = f'attachment; filename="{game}.jsonl"'
    response["Cache-Control"] = "no-cache"
    if packed:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _log_file(game: str) -> LogFile:
    file = log_file(game=game)
    # Whoever downloads for minutes must not keep a connection from those who read pages.
    close_old_connections()
    return file


async def _chunks(file: IO[bytes], is_whole: Callable[[], bool], *, packed: bool) -> AsyncIterator[bytes]:
    """Yield what is in the file and what is still added to it, unpacked or not."""
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | _GZIP)
    with file:
        while True:
            whole = is_whole()  # before the last look: what was added until then is read, too
            while chunk := await sync_to_async(file.read)(CHUNK_BYTES):
                yield chunk if packed else await sync_to_async(unpacking.decompress)(chunk)
            if whole:
                return
            await asyncio.sleep(LOOK_SECONDS)
