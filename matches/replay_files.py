"""Replays as downloads, which never change: each is addressed by its content."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from jobs.files.transfers import AS_A_FILE
from matches.selectors.matches import replay_read


def replay_file(request: HttpRequest, *, digest: str, name: str, audience: str) -> HttpResponseBase:
    """Answer with a stored replay, or with 304 to whoever has it.

    Always an attachment: bots write parts of it, no browser may render it.

    Args:
        request: of the caller.
        digest: SHA-256 of the replay.
        name: of the file, without its ending.
        audience: ``public``, or ``private`` where proxies may keep no copy.

    Raises:
        ReplayUnreadable: it is not stored here any more, or damaged.
        StoreAway: nothing can be read just now.
    """
    # The file is read only for those who have not got it.
    answer = get_conditional_response(request, etag=f'"{digest}"') or HttpResponse(
        replay_read(digest=digest), content_type="application/zstd", headers=AS_A_FILE
    )
    answer["Content-Disposition"] = f'attachment; filename="{name}.jsonl.zst"'
    return kept_forever(answer, etag=digest, audience=audience)


def kept_forever(answer: HttpResponseBase, *, etag: str, audience: str) -> HttpResponseBase:
    """Let browsers, and proxies if its audience is public, keep an answer and never ask again."""
    answer["ETag"] = f'"{etag}"'
    answer["Cache-Control"] = f"{audience}, max-age=31536000, immutable"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
