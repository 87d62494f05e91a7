"""The viewer alone, for a frame in any page of any site."""

from __future__ import annotations

from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from common.text import is_row_number
from ladder.shortcuts import game_or_404
from matches.selectors import matches as selectors
from matches.selectors.front import match_to_show
from matches.viewer import viewer_of_match


# Any site may frame this page, so it knows nobody: it reads no session and holds nothing that a click could do to
# the visitor's account (clickjacking), and private tests are not shown, whoever looks.
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # its types know no view with an argument
@require_safe
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match's board with the controls and nothing else.

    ``?play`` begins at once, ``?show`` goes on to another match at the end (``?show=puyo``: to one of that game).
    """
    match = selectors.match_page(pk=pk, reader=AnonymousUser())
    if match is None:
        raise Http404(_("There is no such match."))
    viewer = viewer_of_match(match)
    following = _next(request, pk)
    if viewer:
        viewer["links"] = []  # they would open in the frame, where no other page of ours may stand
        viewer["autoplay"] = "play" in request.GET
        viewer["next"] = following
    return render(request, "matches/embed.html", {"match": match, "viewer": viewer, "next": following})


def _next(request: HttpRequest, pk: int) -> str:
    """Return where a show goes on; empty where this is none."""
    if "show" not in request.GET:
        return ""
    return f"{reverse('matches:show')}?{urlencode({'after': str(pk), 'game': str(request.GET['show'])})}"


# What it leads to may stand in a frame. Its own page, where there is no match yet, may not: it has the site's buttons.
@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Lead to a match to watch, of ``?game=`` if one is named, and another than that of ``?after=``."""
    game, after = request.GET.get("game", ""), request.GET.get("after", "")
    if game:
        game = game_or_404(game).name
    match = match_to_show(game=game, after=int(after) if is_row_number(after) else 0)
    if match is None:
        return render(request, "matches/show.html")
    return redirect(f"{reverse('matches:embed', args=[match.pk])}?play&{urlencode({'show': game})}")
