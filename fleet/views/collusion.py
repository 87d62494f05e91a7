"""The administrators' pages on bots that may collude, in any contest."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contests.selectors.contests import contests_visible
from fleet.access import staff_only
from matches.views.collusion import pair_page, report_page


@require_safe
@staff_only
def collusion(request: HttpRequest) -> HttpResponse:
    """Show what is improbable in the contest ``?contest=``."""
    contests = {contest.slug: contest for contest in contests_visible(reader=request.user)}
    chosen = contests.get(request.GET.get("contest", settings.GAMES[0]))
    if chosen is None:
        raise Http404(_("There is no such contest."))
    return report_page(request, chosen, contests=contests.values())


@require_safe
@staff_only
def collusion_matches(request: HttpRequest, one: int, other: int) -> HttpResponse:
    """Show the matches between two bots."""
    return pair_page(request, one, other, contest=None)
