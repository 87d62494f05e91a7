"""The administrators' pages on bots that may collude, that is, play for each other."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from contests.selectors.contests import contests_visible
from fleet.access import staff_only
from ladder.models import Bot
from ladder.selectors.programs import programs_shared
from matches.selectors.collusion import collusion_report, matches_between
from matches.selectors.tables import matches_page

DAYS = (7, 30, 90, 0)
"""The choices of how far back matches are examined, in days; 0: all time."""
ROWS = 50


@never_cache
@require_safe
@staff_only
def collusion(request: HttpRequest) -> HttpResponse:
    """Show a contest's pairs of bots that may collude, and programs that several owners have.

    The query string has ``contest`` and ``days``.
    """
    contests = {contest.slug: contest for contest in contests_visible(reader=request.user)}
    chosen = contests.get(request.GET.get("contest", settings.GAMES[0]))
    if chosen is None:
        raise Http404(_("There is no such contest."))
    days = days_of(request)
    report = collusion_report(contest=chosen.slug, since=since_of(days))
    programs = programs_shared(contest=chosen.slug)
    context = {
        "contests": contests.values(),
        "chosen": chosen,
        "days": days,
        "choices": DAYS,
        "report": report,
        "programs": programs,
    }
    return render(request, "fleet/collusion.html", context)


@never_cache
@require_safe
@staff_only
def collusion_matches(request: HttpRequest, one: int, other: int) -> HttpResponse:
    """Show the matches between two bots in the last ``?days=``, as chosen on the page of pairs."""
    bots = Bot.objects.in_bulk([one, other])
    if len(bots) != 2:
        raise Http404
    days = days_of(request)
    page = matches_page(
        matches=matches_between(one=one, other=other, since=since_of(days)),
        rows=ROWS,
        before=request.GET.get("before", ""),
        after=request.GET.get("after", ""),
    )
    context = {"one": bots[one], "other": bots[other], "days": days, "page": page, "matches": page.matches}
    return render(request, "fleet/collusion_matches.html", context)


def days_of(request: HttpRequest) -> int:
    """Return the chosen number of days, ``?days=``; the middle choice if there is none."""
    chosen = request.GET.get("days", "")
    return int(chosen) if chosen in map(str, DAYS) else DAYS[1]


def since_of(days: int) -> datetime | None:
    """Return the beginning of the last so many days; None for 0: all time."""
    return timezone.now() - timedelta(days=days) if days else None
