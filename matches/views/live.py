"""The url at which browsers receive the events of a match that is being played."""

from __future__ import annotations

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from common.limits import Counted, visitor_counted
from common.threads import ask_database
from contests.headers import page_contest_set
from matches.live import live_events
from matches.models import Match
from matches.selectors import matches as selectors


@require_GET
async def live(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Serve the events of a running match (``matches.live``), those after the one that the client has received last.

    Its id comes in the header ``Last-Event-ID`` or as ``?after=``.
    """
    found, counted = await ask_database(_visible, request, pk)
    if found is None:
        raise Http404(_("There is no such match."))
    page_contest_set(request, found.contest)
    events = live_events(
        match_id=pk,
        lease_token=found.lease_token,
        counted=counted,
        after=request.headers.get("Last-Event-ID") or request.GET.get("after", ""),
    )
    # Proxies must neither cache nor buffer the events.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)


def _visible(request: HttpRequest, pk: int) -> tuple[Match | None, Counted]:
    # In a function of its own for ask_database: request.user reads the session from the database.
    found = selectors.match_plain(pk=pk, reader=request.user)
    return found, visitor_counted(request=request, name="listeners")
