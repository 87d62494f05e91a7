"""The address at which browsers listen to a match that is being played."""

from __future__ import annotations

from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from common.threads import ask_database
from common.visitors import visitor_of
from matches.live import live_events
from matches.models import Match
from matches.selectors import matches as selectors


@require_GET
async def live(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Serve a running match as server-sent events, those after ``?after=`` an event's id; see ``matches.live``."""
    found = await ask_database(_visible, request, pk)
    if found is None:
        raise Http404(_("There is no such match."))
    events = live_events(
        match_id=pk,
        lease_token=found.lease_token,
        address=visitor_of(request),
        after=request.headers.get("Last-Event-ID") or request.GET.get("after", ""),
    )
    # Proxies must neither keep nor collect what is to be seen at once.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)


def _visible(request: HttpRequest, pk: int) -> Match | None:
    # Asking who reads reads the session.
    return selectors.match_plain(pk=pk, reader=request.user)
