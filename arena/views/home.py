"""The front page, the help page, the favicon, and robots.txt."""

from __future__ import annotations

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from accounts.models import User
from arena.templatetags.foot_tags import foot
from contests.selectors.contests import contests_open
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.boards import board_head
from ladder.selectors.profiles import profile_of
from matches.selectors.front import front_page

HEAD_ROWS = 5
NEW_BOTS = 5
RECENT_MATCHES = 10


# The match on the front page is a page of its own, in a frame.
@csp_update({"frame-src": ["'self'"]})
@cached_for_anonymous()
def home(request: HttpRequest) -> HttpResponse:
    """Show a match that plays by itself, the newest matches and bots, and the first rows of each board.

    At the top, visitors read what the site is and the two ways in; users read the next step with each of their bots.
    """
    front = front_page(new_bots=NEW_BOTS)
    contests = contests_open()
    watched = front.match.contest_id if front.match else ""
    context = {
        "front": front,
        # The game that a visitor sees is the one to write a bot for.
        "contest": next((contest for contest in contests if contest.slug == watched), next(iter(contests), None)),
        "heads": [board_head(contest=contest, limit=HEAD_ROWS) for contest in contests],
        "mine": profile_of(user=request.user, reader=request.user).present if isinstance(request.user, User) else [],
        "recent": RECENT_MATCHES,
    }
    return render(request, "arena/home.html", context)


@cached_for_anonymous()
def help_page(request: HttpRequest) -> HttpResponse:
    """Show the help page: how to begin, and a glossary."""
    return render(request, "arena/help.html")


@cached_for_anonymous()
def about(request: HttpRequest) -> HttpResponse:
    """Show what the arena is, what its users can rely on, and who is behind it."""
    return render(request, "arena/about.html", foot())


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Redirect to the icon, which browsers request at this URL beside a file or an API response."""
    return redirect(static("ladder/seal.svg"))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt (RFC 9309), which keeps search engines from fetching each list with each of its filters."""
    return render(request, "robots.txt", content_type="text/plain; charset=utf-8")
