"""The public pages of tournaments. All rounds and results on them come from ``tournament_told``."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from accounts.models import User
from contests.models import Contest
from contests.selectors.people import organises
from contests.shortcuts import contest_or_404
from formats.model import KNOCKOUTS
from ladder.page_cache import cached_for_anonymous
from tournaments.dates import tournament_dates
from tournaments.models import Tournament
from tournaments.selectors import pages
from tournaments.selectors.brackets import brackets_of
from tournaments.selectors.entrants import entrants_of, own_entries
from tournaments.selectors.honours import contest_tournaments, first_places
from tournaments.selectors.loading import Told, tournament_told
from tournaments.selectors.standings import PlaceRow, cross_tables, final_places, stage_tables, way_of
from tournaments.selectors.tournaments import tournaments_seen
from tournaments.shortcuts import tournament_or_404


@cached_for_anonymous()
def tournaments(request: HttpRequest, place: str) -> HttpResponse:
    """List the tournaments of a contest."""
    contest = contest_or_404(request, place)
    may_make = organises(reader=request.user, contest=contest)
    context = {
        "contest": contest,
        "found": contest_tournaments(contest=contest),
        "drafts": tournaments_seen(contest=contest, reader=request.user).filter(state="draft") if may_make else [],
        "may_make": may_make,
    }
    return render(request, "tournaments/tournaments.html", context)


@cached_for_anonymous()
def tournament(request: HttpRequest, place: str, tournament: str) -> HttpResponse:
    """Show a tournament: what, when and who, and how it stands."""
    contest, told = told_or_404(request, place, tournament)
    found = told.tournament
    placed = final_places(told=told)
    own = own_entries(tournament=found, reader=request.user) if isinstance(request.user, User) else None
    context = {
        "dates": tournament_dates(tournament=found),
        "rounds": pages.rounds_by_stage(told=told),
        "current": pages.current_round(told=told),
        "places": placed,
        "rows": placed or [PlaceRow(0, entrant) for entrant in told.rows.values()],
        "first_places": first_places(contest=contest, tournament=found, places=placed),
        "entered": [] if found.is_drawn else entrants_of(tournament=found).order_by("bot__name_key"),
        "own": own,
        "organises": organises(reader=request.user, contest=contest),
    }
    return _page(request, contest, told, "tournament", context)


@cached_for_anonymous()
def now(request: HttpRequest, place: str, tournament: str) -> HttpResponse:
    """Show the part of a tournament's page that changes; the page fetches it again while matches are played."""
    contest, told = told_or_404(request, place, tournament)
    return _page(request, contest, told, "_now", {"current": pages.current_round(told=told)})


@cached_for_anonymous()
def round_page(request: HttpRequest, place: str, tournament: str, stage: int, number: int) -> HttpResponse:
    """Show a round: its tables with all matches, and how each was decided."""
    contest, told = told_or_404(request, place, tournament)
    found = pages.round_seen(told=told, stage=stage - 1, number=number)
    if found is None:
        raise Http404(_("This round is not drawn, or its pairing is not public yet."))
    known = [each.row.pk for each in told.rounds]
    at = known.index(found.row.pk)
    context = {
        "round": found,
        "before": told.rounds[at - 1].row if at else None,
        "after": told.rounds[at + 1].row if at + 1 < len(known) else None,
    }
    return _page(request, contest, told, "round", context)


@cached_for_anonymous()
def standings(request: HttpRequest, place: str, tournament: str) -> HttpResponse:
    """Show the standings of each stage, with its tie-breaks."""
    contest, told = told_or_404(request, place, tournament)
    return _page(request, contest, told, "standings", {"tables": stage_tables(told=told)})


@cached_for_anonymous()
def cross(request: HttpRequest, place: str, tournament: str) -> HttpResponse:
    """Show the cross tables of round robins and Swiss stages."""
    contest, told = told_or_404(request, place, tournament)
    here = reverse("tournaments:tournament", args=[contest, tournament])
    return _page(request, contest, told, "cross", {"tables": cross_tables(told=told), "here": here})


@cached_for_anonymous("whole")
def bracket(request: HttpRequest, place: str, tournament: str) -> HttpResponse:
    """Show the brackets of knockouts; ``?whole=1`` shows large ones from their first round on."""
    contest, told = told_or_404(request, place, tournament)
    whole = bool(request.GET.get("whole"))
    context = {"brackets": brackets_of(told=told, whole=whole), "whole": whole}
    return _page(request, contest, told, "bracket", context)


@cached_for_anonymous()
def way(request: HttpRequest, place: str, tournament: str, pk: int) -> HttpResponse:
    """Show the way of one bot through a tournament: its tables in their order."""
    contest, told = told_or_404(request, place, tournament)
    entrant = next((each for each in told.rows.values() if each.bot_id == pk), None)
    if entrant is None:
        raise Http404(_("This bot does not play in this tournament."))
    return _page(request, contest, told, "way", {"entrant": entrant, "steps": way_of(told=told, entrant=entrant)})


def told_or_404(request: HttpRequest, place: str, slug: str) -> tuple[Contest, Told]:
    """Return a contest, by its part of the url, and one of its tournaments, by its slug, as the reader may know it.

    Raises:
        Http404: the contest or the tournament does not exist, or the reader may not see it.
    """
    contest = contest_or_404(request, place)
    tournament = tournament_or_404(request, contest, slug)
    return contest, tournament_told(tournament=tournament, reader=request.user)


def _page(request: HttpRequest, contest: Contest, told: Told, template: str, context: dict[str, Any]) -> HttpResponse:
    formats = {stage.format for stage in told.stages}
    shared = {
        "contest": contest,
        "tournament": told.tournament,
        "told": told,
        "hidden": pages.hidden_sentence(told=told),
        "has_bracket": bool(told.rounds) and not formats.isdisjoint(KNOCKOUTS),
        "has_cross": bool(told.rounds) and not formats <= set(KNOCKOUTS),
    }
    response = render(request, f"tournaments/{template}.html", shared | context)
    return kept_from_proxies(response, told)


def kept_from_proxies(response: HttpResponse, told: Told) -> HttpResponse:
    """Return ``response``; if it tells what others may not know (``told``), it now forbids proxies to keep it."""
    is_draft = told.tournament.state == Tournament.State.DRAFT
    if is_draft or (told.knows_all and told.tournament.is_hidden):
        patch_cache_control(response, private=True)
    return response
