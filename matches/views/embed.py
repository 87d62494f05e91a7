"""The viewer alone, for an iframe on any site."""

from __future__ import annotations

from csp.decorators import csp_replace, csp_update
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from accounts.one_time import reads_no_session
from common.limits import rate_limited
from common.shortcuts import store_away_as_503
from common.text import is_row_number
from contests.headers import page_contest_set
from contests.selectors.visibility import contest_key_is_seen
from matches.pictures import CACHED_SECONDS, match_picture
from matches.selectors import matches as selectors
from matches.selectors.front import match_to_show
from matches.viewer import viewer_of_match


# The attack: a site frames this page and makes visitors click on it (clickjacking). So the page reads no session, has
# nothing that changes an account, and shows no private tests, not even to their owner.
@reads_no_session
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})
# A show that fills the screen goes on in a frame: a page that is left ends the full screen.
@csp_update({"frame-src": ["'self'"]})  # type: ignore[arg-type]  # its types know no view with an argument
@require_safe
def embed(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match's board and its controls only.

    ``?play`` starts the replay at once, ``?show`` goes on to another match at its end (``?show=SLUG``: of a contest).
    """
    match = selectors.match_page(pk=pk, reader=AnonymousUser())
    if match is None:
        raise Http404(_("There is no such match."))
    page_contest_set(request, match.contest)
    viewer = viewer_of_match(match)
    following = _next(request, pk)
    if viewer:
        viewer["links"] = []  # they would open in the iframe, where the site's other pages are forbidden
        viewer["autoplay"] = "play" in request.GET
        viewer["next"] = following
    return render(request, "matches/embed.html", {"match": match, "viewer": viewer, "next": following})


# It reads no session either: a proxy, or the program that shows a preview to a whole chat, keeps the picture.
@reads_no_session
@require_safe
@store_away_as_503
@rate_limited("picture", method="GET")
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve the picture of a match that guests may see, for previews of links (og:image); 404 without a replay."""
    match = selectors.match_page(pk=pk, reader=AnonymousUser())
    if match is None or not hasattr(match, "result") or not match.result.replay_digest:
        raise Http404(_("There is no such match, or no picture of it."))
    page_contest_set(request, match.contest)
    response = HttpResponse(match_picture(match=match), content_type="image/png")
    response["Cache-Control"] = f"{match.audience}, max-age={CACHED_SECONDS}"
    return response


def _next(request: HttpRequest, pk: int) -> str:
    """Return the url of the next match of a show; empty without ``?show``."""
    if "show" not in request.GET:
        return ""
    return f"{reverse('matches:show')}?{urlencode({'after': str(pk), 'contest': str(request.GET['show'])})}"


# The embedded match to which it redirects may be framed. Its own page, shown while there is no match, may not: that has
# the site's buttons.
@never_cache
@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Redirect to an embedded match, of ``?contest=`` if given, and not the match ``?after=`` if there is another."""
    contest, after = request.GET.get("contest") or request.GET.get("game", ""), request.GET.get("after", "")
    # Of contests that guests may see, since the embedded match reads no session.
    if contest and not contest_key_is_seen(contest, reader=AnonymousUser()):
        raise Http404(_("There is no such contest."))
    match = match_to_show(contest=contest, after=int(after) if is_row_number(after) else 0)
    if match is None:
        return render(request, "matches/show.html")
    return redirect(f"{reverse('matches:embed', args=[match.pk])}?play&{urlencode({'show': contest})}")
