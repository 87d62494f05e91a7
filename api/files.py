"""Downloads of what never changes, because its address is made of its content."""

from __future__ import annotations

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.request import Request

from ladder.files.transfers import AS_A_FILE
from matches.selectors.matches import replay_read

NEVER_CHANGES = "max-age=31536000, immutable"


def replay_file(request: Request, *, digest: str, name: str, audience: str) -> HttpResponseBase:
    """Answer with a stored replay, or with 304 to whoever has it.

    Args:
        request: of the caller.
        digest: SHA-256 of the replay.
        name: of the file, without its ending.
        audience: ``public``, or ``private`` where proxies may keep no copy.

    Raises:
        ReplayUnreadable: it is not stored here any more.
    """
    etag = f'"{digest}"'
    # The file is read only for those who have not got it.
    answer = get_conditional_response(request._request, etag=etag) or HttpResponse(
        replay_read(digest=digest), content_type="application/zstd", headers=AS_A_FILE
    )
    answer["Content-Disposition"] = f'attachment; filename="{name}.jsonl.zst"'
    answer["ETag"] = etag
    answer["Cache-Control"] = f"{audience}, {NEVER_CHANGES}"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer
