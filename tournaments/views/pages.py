"""The public pages of tournaments."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.page_cache import cached_for_anonymous
from ladder.shortcuts import contest_or_404
from tournaments.selectors.loading import tournament_told
from tournaments.selectors.tournaments import tournaments_seen
from tournaments.shortcuts import tournament_or_404


@require_safe
@cached_for_anonymous()
def tournaments(request: HttpRequest, place: str) -> HttpResponse:
    """List the tournaments of a contest."""
    contest = contest_or_404(request, place)
    found = tournaments_seen(contest=contest, reader=request.user)
    return render(request, "tournaments/tournaments.html", {"contest": contest, "tournaments": found})


@require_safe
@cached_for_anonymous()
def tournament(request: HttpRequest, place: str, tournament: str) -> HttpResponse:
    """Show a tournament: what, when and who, and how it stands."""
    contest = contest_or_404(request, place)
    found = tournament_or_404(request, contest, tournament)
    told = tournament_told(tournament=found, reader=request.user)
    return render(request, "tournaments/tournament.html", {"contest": contest, "tournament": found, "told": told})
