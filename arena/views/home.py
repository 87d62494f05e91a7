"""The front page, the help page, the seal, and what search engines may read."""

from __future__ import annotations

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from accounts.models import User
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.boards import board_head
from ladder.selectors.games import games_all
from ladder.selectors.profiles import profile_of

HEAD_ROWS = 5
RECENT_MATCHES = 10


# The match in it is a page of its own.
@csp_update({"frame-src": ["'self'"]})
@require_safe
@cached_for_anonymous()
def home(request: HttpRequest) -> HttpResponse:
    """Show a match that is played, the heads of the boards and the newest matches.

    Before that, strangers read what this is and how to begin, members what the next step with each of their bots is.
    """
    heads = [board_head(game=card, limit=HEAD_ROWS) for card in games_all()]
    mine = profile_of(user=request.user, reader=request.user).present if isinstance(request.user, User) else []
    return render(request, "arena/home.html", {"heads": heads, "mine": mine, "recent": RECENT_MATCHES})


@require_safe
@cached_for_anonymous()
def help_page(request: HttpRequest) -> HttpResponse:
    """Say how to begin, and what the words of the site mean."""
    return render(request, "arena/help.html")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Lead to the arena's seal: browsers ask for it where no page names one, beside a file or an answer of the API."""
    return redirect(static("ladder/seal.svg"))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines what to leave out (RFC 9309): else they draw each list by each of its filters."""
    return render(request, "robots.txt", content_type="text/plain; charset=utf-8")
