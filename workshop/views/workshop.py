"""The page of the workshop, and what it stores: drafts and versions."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from accounts.access import own_act, signed_in
from common.arrivals import arrived_at
from common.errors import InputError
from common.limits import rate_limited
from common.shortcuts import store_away_as_503
from common.text import is_row_number, typed
from contests.models import Contest
from contests.selectors.contests import check_size
from contests.shortcuts import contest_or_404
from matches.models import Seat
from matches.selectors.matches import match_page, places
from workshop.pages import CODEMIRROR, WORKSHOP_MODULES, workshop_page
from workshop.selectors.opened import Opened, bot_names, files_opened, languages_offered, opponents_in_workshop
from workshop.services.drafts import draft_save, files_check, files_submit
from workshop.views.bodies import DraftBody, SubmitBody, body_read, refusals_told


@gzip_page
@never_cache
@require_safe
@store_away_as_503
def workshop(request: HttpRequest, place: str) -> HttpResponse:
    """Show the workshop of a contest: an editor beside the guide and the board of the last try."""
    contest = contest_or_404(request, place)
    opened, problem = _opened(request, contest)
    played, seat, rival = _played(request, contest)
    others, own = opponents_in_workshop(contest=contest, reader=request.user, bot=rival or _number(request, "bot"))
    viewer = workshop_page(
        contest=contest,
        opened=opened,
        bots=bot_names(contest=contest, reader=request.user),
        reader=request.user.pk,
        played=played,
    )
    context = {
        "contest": contest,
        "opened": opened,
        "problem": problem,
        "languages": languages_offered(contest=contest),
        "others": others,
        "own": own,
        "rival": rival or _number(request, "bot") or (others[-1].version.bot_id if others else 0),
        "played": played,
        "seats": viewer["letters"][: check_size(contest=contest)],
        "seat": seat,
        "viewer": viewer,
        "scripts": [static(f"workshop/{name}.js") for name in WORKSHOP_MODULES] + [static(CODEMIRROR)],
    }
    return render(request, "workshop/workshop.html", context)


@own_act
@rate_limited("draft")
@refusals_told
def draft(request: HttpRequest, place: str) -> HttpResponse:
    """Store the files on which a user works."""
    contest, body = contest_or_404(request, place), body_read(request, DraftBody)
    revision = draft_save(
        owner=signed_in(request),
        contest=contest,
        language=body.language,
        files=body.files,
        revision=body.revision,
        page=body.page,
    )
    return JsonResponse({"revision": revision})


@own_act
@rate_limited("upload")
@refusals_told
def submit(request: HttpRequest, place: str) -> HttpResponseBase:
    """Make files a version of a bot, as an upload does."""
    contest, body = contest_or_404(request, place), body_read(request, SubmitBody)
    version = files_submit(
        owner=signed_in(request),
        contest=contest,
        language=body.language,
        files=body.files,
        name=typed(body.name),
        received_at=arrived_at(request),
    )
    url = reverse("ladder:version", args=[version.pk])
    return JsonResponse({"url": url}, status=HTTPStatus.CREATED)


def _opened(request: HttpRequest, contest: Contest) -> tuple[Opened, str]:
    """Return what the workshop opens, and a sentence if it cannot open the version that was asked for.

    The attack: somebody opens his 20 MiB of text again and again, and each page of it fills the memory of the site.
    """
    language, version = request.GET.get("language", ""), _number(request, "version")
    find = partial(files_opened, contest=contest, reader=request.user, language=language)
    try:
        opened = find(version=version)
        files_check(files=opened.files)
        return opened, ""
    except InputError as error:
        return find(version=0), str(error)


def _played(request: HttpRequest, contest: Contest) -> tuple[dict[str, int] | None, int, int]:
    """Return match and turn from which tries go on (None: from the beginning), the program's seat, the other bot."""
    seat = _number(request, "seat")
    match = match_page(pk=_number(request, "match"), reader=request.user)
    if match is None or match.contest_id != contest.pk:
        return None, seat, 0
    others = [each.version.bot_id for each in places(match=match) if isinstance(each, Seat) and each.index != seat]
    return {"match": match.pk, "turn": max(_number(request, "turn"), 1)}, seat, others[0] if others else 0


def _number(request: HttpRequest, name: str) -> int:
    """Return the number in the query's parameter ``name``; 0, which is no key, if it is none that a key can be."""
    text = request.GET.get(name, "")
    return int(text) if is_row_number(text) else 0
