"""The administrators' list of contests, with links to their desks; pages on bots in any contest that may collude."""

from __future__ import annotations

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contests.selectors.contests import contests_visible
from fleet.access import staff_only
from matches.views.collusion import pair_page, report_page

ROWS = 100


@require_safe
@staff_only
def contests(request: HttpRequest) -> HttpResponse:
    """List all contests with their states and dates."""
    found = contests_visible(reader=request.user).order_by("-created_at", "slug")
    page = Paginator(found, ROWS).get_page(request.GET.get("page"))
    return render(request, "fleet/contests.html", {"page": page})


@require_safe
@staff_only
def collusion(request: HttpRequest) -> HttpResponse:
    """Show which bots may collude in the contest ``?contest=``, by default that of the first game; 404 if unknown."""
    contests = {contest.slug: contest for contest in contests_visible(reader=request.user)}
    chosen = contests.get(request.GET.get("contest", settings.GAMES[0]))
    if chosen is None:
        raise Http404(_("There is no such contest."))
    return report_page(request, chosen, contests=contests.values())


@require_safe
@staff_only
def collusion_matches(request: HttpRequest, one: int, other: int) -> HttpResponse:
    """Show the matches between the bots with the keys ``one`` and ``other``, in whatever contest."""
    return pair_page(request, one, other, contest=None)
