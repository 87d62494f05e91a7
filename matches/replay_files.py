"""Replays as downloads, which caches may keep for ever: a replay is named by the SHA-256 of its content."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from jobs.files.transfers import AS_A_FILE
from matches.selectors.matches import replay_read


def replay_file(request: HttpRequest, *, digest: str, name: str, audience: str) -> HttpResponseBase:
    """Answer with a stored replay, or with status 304 if the client has it already.

    It is always an attachment: bots write parts of it, so no browser may render it. ``name`` is the file's name without
    its ending. ``audience`` is ``public``, or ``private`` where proxies may keep no copy. Raises ReplayUnreadable and
    StoreAway as ``replay_read``.
    """
    # The file is read only for clients that do not have it.
    answer = get_conditional_response(request, etag=f'"{digest}"') or HttpResponse(
        replay_read(digest=digest), content_type="application/zstd", headers=AS_A_FILE
    )
    answer["Content-Disposition"] = f'attachment; filename="{name}.jsonl.zst"'
    return cached_forever(answer, etag=digest, audience=audience)


def cached_forever(answer: HttpResponseBase, *, etag: str, audience: str) -> HttpResponseBase:
    """Let browsers, and proxies too if ``audience`` is ``public``, cache an answer without asking again."""
    answer["ETag"] = f'"{etag}"'
    answer["Cache-Control"] = f"{audience}, max-age=31536000, immutable"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
