"""The show of a tournament for a hall: matches and results one after another, on a screen of their own."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from csp.decorators import csp_replace, csp_update
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from accounts.access import signed_in
from common.errors import InputError
from common.text import is_row_number
from contests.models import Contest
from contests.selectors.people import organises
from contests.shortcuts import contest_or_404, organisers_only
from matches.selectors.matches import match_page
from matches.viewer import viewer_of_match
from tournaments.models import Tournament
from tournaments.selectors.show import match_is_played_in, may_show, scene_of, show_of
from tournaments.services.tournaments import shown_release
from tournaments.shortcuts import tournament_or_404

_WORDS = {
    "away": gettext_lazy("The site does not answer. Press the key again in a moment."),
    "released": gettext_lazy("Released: everybody sees these results now."),
    "all": gettext_lazy("All matches of each table are shown."),
    "deciding": gettext_lazy("Of each table, its last match is shown."),
}
"""Sentences that the page's script shows, by the names under which it knows them."""


@never_cache
@csp_update({"frame-src": ["'self'"]})  # type: ignore[arg-type]  # its types know no view with an argument
@require_safe
def show(request: HttpRequest, place: str, tournament: str) -> HttpResponse:
    """Show the page that a hall looks at; its script loads one step after another."""
    contest, found = _shown_or_404(request, place, tournament)
    at: list[Any] = [contest, found.slug]
    can_release = found.is_hidden and organises(reader=request.user, contest=contest)
    steps = [
        {
            "kind": step.kind,
            "round": f"{step.stage}.{step.round}",
            "extra": step.is_extra,
            "releases": step.releases and can_release,
        }
        for step in show_of(tournament=found, reader=request.user).steps
    ]
    page = {
        "steps": steps,
        "step_url": reverse("tournaments:show_step", args=[*at, 0]),
        "release_url": reverse("tournaments:show_release", args=at) if can_release else "",
        "words": {name: str(words) for name, words in _WORDS.items()},
    }
    context = {"contest": contest, "tournament": found, "can_release": can_release, "page": page}
    return render(request, "tournaments/show/show.html", context)


@never_cache
@require_safe
def step(request: HttpRequest, place: str, tournament: str, number: int) -> HttpResponse:
    """Show one step, a part of the page; steps count from 0."""
    contest, found = _shown_or_404(request, place, tournament)
    scene = scene_of(show=show_of(tournament=found, reader=request.user), number=number)
    if scene is None:
        raise Http404(_("The show has no such step."))
    context = {"contest": contest, "tournament": found, "scene": scene, "step": scene.step}
    return render(request, f"tournaments/show/_{scene.step.kind}.html", context)


# The attack: another site frames this page. Only our own may, and the page has nothing that could be clicked.
@never_cache
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": ["'self'"]})  # type: ignore[arg-type]  # as above
@require_safe
def stage(request: HttpRequest, place: str, tournament: str, pk: int) -> HttpResponse:
    """Show the viewer of a match of the tournament alone, for the frame in the page of a step."""
    _contest, found = _shown_or_404(request, place, tournament)
    match = match_page(pk=pk, reader=request.user) if match_is_played_in(tournament=found, match=pk) else None
    if match is None:
        raise Http404(_("There is no such match."))
    viewer = viewer_of_match(match)
    if viewer:
        viewer["links"] = []
    return render(request, "tournaments/show/stage.html", {"match": match, "viewer": viewer})


@require_POST
@organisers_only
def release(request: HttpRequest, contest: Contest, tournament: str) -> HttpResponse:
    """Release the results that the show has told up to a step (``step``, from 0); answer with JSON, 422 if refused."""
    found = tournament_or_404(request, contest, tournament)
    number = request.POST.get("step", "")
    steps = show_of(tournament=found, reader=request.user).steps
    try:
        if not is_row_number(number) or int(number) >= len(steps):
            raise InputError(_("The show has no such step."))
        shown_release(tournament=found, shown=steps[int(number)], actor=signed_in(request))
    except InputError as error:
        return JsonResponse({"error": str(error)}, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return JsonResponse({})


def _shown_or_404(request: HttpRequest, place: str, slug: str) -> tuple[Contest, Tournament]:
    """Return a contest and its tournament, of which the reader may see the show.

    Raises:
        Http404: one of them does not exist, or the reader may not see the show.
    """
    contest = contest_or_404(request, place)
    found = tournament_or_404(request, contest, slug)
    if not may_show(tournament=found, reader=request.user):
        raise Http404(_("There is no such page."))
    return contest, found
