"""A player's table: its page, the events of the seat, and its answers. The secret in the session is the permission."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST, require_safe

from common.errors import InputError
from common.limits import rate_limited
from common.shortcuts import store_away_as_503
from common.threads import ask_database
from contests.headers import page_contest_set
from exhibitions.forms import TakeOverForm
from exhibitions.pages import after_table, result_of, viewer_after_table, viewer_of_table
from exhibitions.seat_events import seat_events
from exhibitions.services.answering import ANSWER_BYTES_MAX, NotTaken, answer_read, seat_answer
from exhibitions.services.seating import table_take_over as take_over
from exhibitions.views.opening import player_of
from exhibitions.views.secrets import own_seat, own_seat_or_404, secrets_keep
from matches.models import Match, RemoteSeat


@never_cache
@require_safe
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player his table; everybody else is sent to the match's page, which shows it live."""
    seat = own_seat(request, pk)
    if seat is None:
        return redirect("matches:match", pk=pk)
    match = seat.match
    page_contest_set(request, match.contest)
    context: dict[str, Any] = {"match": match, "seat": seat, "contest": match.contest}
    if match.state in (Match.State.QUEUED, Match.State.RUNNING):
        context |= {"viewer": viewer_of_table(seat), "after": after_table(seat)}
        return render(request, "exhibitions/table.html", context)
    context |= {"viewer": viewer_after_table(seat), "after": after_table(seat), "result": result_of(seat)}
    return render(request, "exhibitions/table_over.html", context)


@require_GET
async def table_events(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Serve the events of the player's seat (``exhibitions.seat_events``), those after the one named by ``?after=``."""
    seat: RemoteSeat | None = await ask_database(own_seat, request, pk)
    if seat is None:
        raise Http404(_("You have no seat at this table."))
    after = request.headers.get("Last-Event-ID") or request.GET.get("after", "")
    events = seat_events(seat=seat, after=after, language=get_language() or "en")
    # Proxies must neither cache nor buffer the events.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events, content_type="text/event-stream", headers=headers)


@require_POST
def table_answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Take an answer of the player's seat, JSON of the type ``wire.tables.Answer``."""
    seat = own_seat_or_404(request, pk)
    try:
        seat_answer(seat=seat, answer=answer_read(body=request.read(ANSWER_BYTES_MAX + 1)))
    except NotTaken as error:
        return JsonResponse({"error": str(error)}, status=error.status)
    return HttpResponse(status=202)


@require_POST
@rate_limited("table")
@store_away_as_503
def table_take_over(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Open a new table that goes on from a turn of this one, with the player on a seat that he chooses."""
    seat = own_seat_or_404(request, pk)
    form = TakeOverForm(request.POST)
    try:
        if not form.is_valid():
            raise InputError(_("Please choose a turn and a seat of this match."))
        chosen = form.cleaned_data
        player = player_of(request, seat.clock_seconds)
        opened = take_over(seat=seat, taken=chosen["seat"], turn=chosen["turn"], player=player)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("exhibitions:table", pk=pk)
    secrets_keep(request, opened)
    return redirect("exhibitions:table", pk=opened.match.pk)
