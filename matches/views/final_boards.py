"""The signed final boards of contests, and the key by which anybody verifies them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from common.shortcuts import store_away_as_503
from contests.shortcuts import contest_or_404
from jobs.arena_key import arena_public_key_pem
from jobs.files.transfers import AS_A_FILE
from matches.selectors.final_boards import final_board_file


@require_safe
@store_away_as_503
def final_board(request: HttpRequest, place: str) -> HttpResponseBase:
    """Serve the signed file of a contest's final board; ``?sha256=`` names an earlier one that it has replaced."""
    contest = contest_or_404(request, place)
    data = final_board_file(contest=contest, digest=request.GET.get("sha256", ""))
    if data is None:
        raise Http404(_("This contest has no such final board."))
    answer = HttpResponse(data, content_type="application/json", headers=AS_A_FILE)
    answer["Content-Disposition"] = f'attachment; filename="{contest.slug}-final.json"'
    answer["Cache-Control"] = "no-cache" if contest.visibility == contest.Visibility.PUBLIC else "private, no-cache"
    return answer


@require_safe
def public_key(request: HttpRequest) -> HttpResponse:
    """Serve the arena's public key in the form that OpenSSL reads."""
    return HttpResponse(arena_public_key_pem(), content_type="application/x-pem-file")
