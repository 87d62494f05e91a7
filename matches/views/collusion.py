"""Pages on bots that may collude, that is, play for each other: for the organisers of their contest."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contests.models import Contest
from contests.shortcuts import organisers_only
from ladder.selectors.desk import desk_pair
from ladder.selectors.programs import programs_shared
from matches.selectors.collusion import collusion_report, matches_between
from matches.selectors.tables import matches_page

DAYS = (7, 30, 90, 0)
"""The choices of how far back matches are examined, in days; 0: all time."""
ROWS = 50


@require_safe
@organisers_only
def collusion(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Show the contest's pairs of bots that may collude, and programs that several owners have."""
    return report_page(request, contest, desk=contest)


@require_safe
@organisers_only
def collusion_matches(request: HttpRequest, contest: Contest, one: int, other: int) -> HttpResponse:
    """Show the matches between two bots of the contest in the last ``?days=``, as chosen on the page of pairs."""
    return pair_page(request, one, other, contest=contest)


def report_page(request: HttpRequest, contest: Contest, **context: Any) -> HttpResponse:
    """Show an organiser or administrator what is improbable in a contest in the last ``?days=``.

    The context has ``desk``, the contest whose desk the page belongs to, or ``contests``, of which one is chosen.
    """
    days = _days(request)
    context |= {
        "chosen": contest,
        "days": days,
        "choices": DAYS,
        "report": collusion_report(contest=contest.slug, since=_since(days)),
        "programs": programs_shared(contest=contest.slug),
    }
    return render(request, "matches/collusion.html", context)


def pair_page(request: HttpRequest, one: int, other: int, *, contest: Contest | None) -> HttpResponse:
    """Show the matches between two bots, of a contest or of any; 404 if one of them is no such bot."""
    pair, days = desk_pair(contest=contest, one=one, other=other), _days(request)
    if pair is None:
        raise Http404(_("There is no such bot."))
    page = matches_page(
        matches=matches_between(one=one, other=other, since=_since(days)),
        rows=ROWS,
        before=request.GET.get("before", ""),
        after=request.GET.get("after", ""),
    )
    context = {"one": pair[0], "other": pair[1], "days": days, "page": page, "matches": page.matches}
    return render(request, "matches/collusion_matches.html", context)


def _days(request: HttpRequest) -> int:
    """Return the chosen number of days, ``?days=``; the second choice if there is none."""
    chosen = request.GET.get("days", "")
    return int(chosen) if chosen in map(str, DAYS) else DAYS[1]


def _since(days: int) -> datetime | None:
    """Return the moment ``days`` days ago; None for 0, which means all time."""
    return timezone.now() - timedelta(days=days) if days else None
