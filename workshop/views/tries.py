"""Tries for the scripts of the workshop: JSON, and server-sent events. Each is for its author alone."""

from __future__ import annotations

from http import HTTPStatus

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from accounts.access import own_act, own_page, signed_in
from common.limits import rate_limited, visitor_counted
from common.shortcuts import store_away_as_503
from common.threads import ask_database
from contests.shortcuts import contest_or_404
from matches.live import followed_events
from matches.selectors.matches import replay_records, turns_printable
from workshop.models import Try
from workshop.selectors.origins import origin_of
from workshop.selectors.tries import try_followed, try_of, try_told
from workshop.selectors.tries import try_turns as turns_of
from workshop.services import tries as services
from workshop.views.bodies import TryBody, body_read, key_read, refusals_told


@own_act
@rate_limited("try")
@store_away_as_503
@refusals_told
def try_begin(request: HttpRequest, place: str) -> HttpResponseBase:
    """Put a program into the queue of tries."""
    contest, user, body = contest_or_404(request, place), signed_in(request), body_read(request, TryBody)
    played = body.played
    origin = origin_of(**msgspec.structs.asdict(played), contest=contest, reader=user) if played else None
    begun = services.try_begin(
        owner=user,
        contest=contest.slug,
        language=body.language,
        files=body.files,
        opponent=None if body.opponent is None else key_read(body.opponent),
        seat=body.seat,
        seed=body.seed,
        origin=origin,
    )
    return JsonResponse(try_told(tried=begun), status=HTTPStatus.CREATED)


@own_page
def try_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Tell how far a try has come."""
    return JsonResponse(try_told(tried=_try_or_404(request, pk)))


@require_GET
async def try_live(request: HttpRequest, pk: int) -> StreamingHttpResponse:
    """Serve the events of a running try (``matches.live``), those after the one that the client has received last.

    Its id comes in the header ``Last-Event-ID`` or as ``?after=``.
    """
    tried: Try = await ask_database(_try_or_404, request, pk)
    events = followed_events(
        followed=try_followed(tried=tried),
        counted=visitor_counted(request=request, name="listeners"),  # the author has been read before
        after=request.headers.get("Last-Event-ID") or request.GET.get("after", ""),
    )
    # Proxies must neither cache nor buffer the events.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)


@gzip_page
@own_page
@store_away_as_503
def try_replay(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve the records of the replay of a try as one JSON list."""
    tried = _try_or_404(request, pk)
    return HttpResponse(
        msgspec.json.encode(replay_records(digest=tried.replay_digest)), content_type="application/json"
    )


@gzip_page
@own_page
@store_away_as_503
def try_turns(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve what the program was asked, answered and wrote, turn by turn, as JSON for the viewer."""
    turns = turns_printable(turns_of(tried=_try_or_404(request, pk)))
    return HttpResponse(msgspec.json.encode(turns), content_type="application/json")


def _try_or_404(request: HttpRequest, pk: int) -> Try:
    found = try_of(pk=pk, reader=request.user)
    if found is None:
        raise Http404(_("There is no such try, or it is older than two days."))
    return found
