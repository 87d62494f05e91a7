"""The viewer alone, for a frame in any page of any site."""

from __future__ import annotations

from csp.decorators import csp_replace
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from matches.selectors import matches as selectors
from matches.viewer import viewer_of_match


# Any site may frame this page, so it knows nobody: it reads no session and holds nothing that a click could do to
# the visitor's account (clickjacking), and private tests are not shown, whoever looks.
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # its types know no view with an argument
@require_safe
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match's board with the controls and nothing else; ``?play`` begins at once."""
    match = selectors.match_page(pk=pk, reader=AnonymousUser())
    if match is None:
        raise Http404(_("There is no such match."))
    viewer = viewer_of_match(match)
    if viewer:
        viewer["links"] = []  # they would open in the frame, where no other page of ours may stand
        viewer["autoplay"] = "play" in request.GET
    return render(request, "matches/embed.html", {"match": match, "viewer": viewer})
