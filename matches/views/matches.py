"""Pages of matches and the endpoints that serve their replays."""

from __future__ import annotations

import json
from http import HTTPStatus

import msgspec
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import add_never_cache_headers, get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from accounts.access import own_act, own_page
from common.errors import InputError, StoreAway
from common.limits import rate_limited
from common.shortcuts import store_away_as_503
from common.text import is_row_number
from contests.headers import page_contest_set
from ladder.models import BotVersion
from ladder.page_cache import cached_for_anonymous
from matches.forms import MatchFilterForm
from matches.models import Match
from matches.replay_files import cached_forever, replay_file
from matches.selectors import matches as selectors
from matches.selectors import rank_waits
from matches.selectors.challenges import challenge_swapped
from matches.selectors.changes import match_changes
from matches.selectors.filters import ALL_TO_WATCH
from matches.selectors.first_games import first_games as first_games_of
from matches.selectors.first_games import version_placing
from matches.selectors.tables import matches_page
from matches.services.reruns import match_rerun, rerun_problem
from matches.viewer import viewer_of_check, viewer_of_match
from wire.turnlog import LoggedTurn

MATCHES_A_PAGE = 30
PAGES_NUMBERED = 20
"""Number of numbered pages of the list. Older matches are reached by ``?before=`` a match, which costs the same
however old they are."""


@cached_for_anonymous("after", "before", "game", "page", *MatchFilterForm.base_fields)
def match_list(request: HttpRequest) -> HttpResponse:
    """Show the matches of a filter, newest first."""
    form = MatchFilterForm(request.GET, reader=request.user)
    chosen = form.chosen()
    matches = selectors.matches_list(chosen=chosen, reader=request.user)
    before, after = request.GET.get("before", ""), request.GET.get("after", "")
    text = request.GET.get("page", "")
    number = min(max(int(text), 1), PAGES_NUMBERED) if is_row_number(text) else 1
    page = matches_page(matches=matches, rows=MATCHES_A_PAGE, number=number, before=before, after=after)
    context = {
        "form": form,
        "page": page,
        "number": None if before or after else number,
        "numbers": range(1, min(number + bool(page.older), PAGES_NUMBERED) + 1),
        "matches": page.matches,
        "with_contest": not chosen.contest,
        "is_chosen": chosen != ALL_TO_WATCH,
    }
    return render(request, "matches/list.html", context)


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match: in the viewer if it is finished or being played, else with its state."""
    found = _match_or_404(request, pk)
    has_log = selectors.has_log(match=found, reader=request.user)
    seats = selectors.seats_for_reader(match=found, reader=request.user)
    changes = match_changes(match=found)
    context = {
        "match": found,
        "seats": seats,
        "changed_seats": [(seat, changes.get(seat.index)) for seat in selectors.places(match=found)],
        "is_rated": found.kind == Match.Kind.LADDER,
        "viewer": viewer_of_match(found, has_log=has_log),
        "ended": hasattr(found, "result"),
        "has_log": has_log,
        "platform_fault": selectors.match_failed_by_platform(match=found),
        "rerun_same": selectors.rerun_is_same(match=found),
        "rerun_problem": rerun_problem(match=found),
        "swapped": challenge_swapped(match=found),
    }
    response = render(request, "matches/match.html", context)
    if found.kind == Match.Kind.EXHIBITION:
        response["X-Robots-Tag"] = "noindex"  # it is for those who have its link, and it will be gone in a month
    if request.user.is_authenticated:
        # The attack: somebody presses Back after the owner has signed out, and reads evidence that only owners get.
        add_never_cache_headers(response)
    return response


@own_page
@store_away_as_503
def match_log(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an owner what his bots in a match were asked, answered and wrote to standard error, turn by turn."""
    match = _match_or_404(request, pk)
    turns = _own_turns(request, match)
    log_json = reverse("matches:match_log_json", args=[pk])
    context = {"pk": pk, "game": match.game, "turns": turns, "name": f"match-{pk}", "log_json": log_json}
    return render(request, "matches/log.html", context)


@gzip_page
@own_page
@store_away_as_503
def match_log_json(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve the turns of ``match_log`` as JSON for the viewer, which loads and shows them with the board."""
    return _log_json(_own_turns(request, _match_or_404(request, pk)))


@never_cache
@require_safe
def match_state(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the part of a waiting match's page that has its state; once that changes, reload the whole page."""
    found = _or_404(request, selectors.match_plain(pk=pk, reader=request.user))
    if found.state != request.GET.get("seen", found.state) or found.state in (Match.State.FINISHED, Match.State.VOID):
        return HttpResponseClientRefresh()
    return render(request, "matches/_state.html", {"match": found})


@own_act
@rate_limited("rerun")
def match_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue a re-run of a match and show it, or show the match with the reason why it cannot be re-run."""
    found = _or_404(request, selectors.match_plain(pk=pk, reader=request.user))
    try:
        found = match_rerun(match=found)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("matches:match", pk=found.pk)


@never_cache
@require_safe
def first_games(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how many first games a version has played, and until when its rank is provisional.

    The part is empty for a version that needs neither, or that the reader may not see.
    """
    version = version_placing(pk=pk, reader=request.user)
    progress = first_games_of(version=version) if version else None
    context = {
        "progress": progress,
        "version": version,
        "wait": rank_waits.rank_wait(version=version) if version else "",
    }
    return render(request, "matches/_first_games.html", context)


@require_safe
@store_away_as_503
def replay(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Serve a match's replay as it is stored (JSON lines in zstd)."""
    digest, audience = _replay_or_404(request, pk)
    return replay_file(request, digest=digest, name=f"match-{pk}", audience=audience)


@gzip_page
@require_safe
def replay_json(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Serve the records of a match's replay as one JSON list."""
    return _replay_json(request, *_replay_or_404(request, pk))


@own_page
def check_replay(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the check match of a version to its owner."""
    version = _checked_version_or_404(request, pk)
    return render(request, "matches/check.html", {"version": version, "viewer": viewer_of_check(version)})


@own_page
@store_away_as_503
def check_log(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the owner of a version what it was asked, answered and wrote in its check match, turn by turn."""
    version = _checked_version_or_404(request, pk)
    turns = selectors.turns_printable(selectors.check_turns(version=version))
    log_json = reverse("matches:check_log_json", args=[pk])
    game = version.bot.game
    context = {"version": version, "game": game, "turns": turns, "name": f"check-{pk}", "log_json": log_json}
    return render(request, "matches/log.html", context)


@gzip_page
@own_page
@store_away_as_503
def check_log_json(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve the turns of ``check_log`` as JSON for the viewer."""
    version = _checked_version_or_404(request, pk)
    return _log_json(selectors.turns_printable(selectors.check_turns(version=version)))


@login_required
@require_safe
@store_away_as_503
def check_replay_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Serve the replay of a version's check match to its owner."""
    version = _checked_version_or_404(request, pk)
    digest = version.check_replay_digest
    return replay_file(request, digest=digest, name=f"check-{pk}", audience="private")


@gzip_page
@login_required
@require_safe
def check_replay_json(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Serve the records of a version's check match as one JSON list to its owner."""
    return _replay_json(request, _checked_version_or_404(request, pk).check_replay_digest, "private")


def _or_404(request: HttpRequest, found: Match | None) -> Match:
    if found is None:
        raise Http404(_("There is no such match."))
    page_contest_set(request, found.contest)
    return found


def _match_or_404(request: HttpRequest, pk: int) -> Match:
    return _or_404(request, selectors.match_page(pk=pk, reader=request.user))


def _own_turns(request: HttpRequest, match: Match) -> list[LoggedTurn]:
    return selectors.turns_printable(selectors.turns_for_reader(match=match, reader=request.user))


def _log_json(turns: list[LoggedTurn]) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(turns), content_type="application/json")


def _replay_or_404(request: HttpRequest, pk: int) -> tuple[str, str]:
    """Return the digest of a match's replay, and the ``audience`` of the match for Cache-Control."""
    found = _or_404(request, selectors.match_plain(pk=pk, reader=request.user))
    digest = selectors.match_replay_digest(pk=pk)
    if digest is None:
        raise Http404(_("This match has no replay, or none any more."))
    return digest, found.audience


def _checked_version_or_404(request: HttpRequest, pk: int) -> BotVersion:
    version = selectors.version_check(pk=pk, reader=request.user)
    if version is None:
        raise Http404(_("There is no such check match, or it is not yours."))
    page_contest_set(request, version.bot.contest)
    return version


def _replay_json(request: HttpRequest, digest: str, audience: str) -> HttpResponseBase:
    """Answer with a replay's records as JSON, or with an error sentence that the viewer shows."""
    etag = f"{digest}-json"
    not_modified = get_conditional_response(request, etag=f'"{etag}"')
    if not_modified is not None:
        return not_modified
    try:
        records = selectors.replay_records(digest=digest)
    except selectors.ReplayUnreadable as error:
        return JsonResponse({"error": str(error)}, status=HTTPStatus.NOT_FOUND)
    except StoreAway as error:
        return JsonResponse({"error": str(error)}, status=HTTPStatus.SERVICE_UNAVAILABLE)
    text = json.dumps(records, ensure_ascii=False, separators=(",", ":"))
    return cached_forever(HttpResponse(text, content_type="application/json"), etag=etag, audience=audience)
