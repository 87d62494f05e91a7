"""The page of a contest's downloads, and their files."""

from __future__ import annotations

from datetime import date

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from common.limits import rate_limited
from common.shortcuts import store_away_as_503
from contests.shortcuts import contest_or_404
from downloads.answers import day_answer
from downloads.models import REPLAYS_DAYS
from downloads.selectors.days import day_files, days_of
from ladder.page_cache import cached_for_anonymous

DAYS_A_PAGE = 50


@cached_for_anonymous("page")
def downloads(request: HttpRequest, place: str) -> HttpResponse:
    """List the days of a contest that have files, newest first."""
    contest = contest_or_404(request, place)
    page = Paginator(days_of(contest=contest), DAYS_A_PAGE).get_page(request.GET.get("page"))
    context = {"contest": contest, "page": page, "replays_days": REPLAYS_DAYS}
    return render(request, "downloads/downloads.html", context)


@require_safe
@rate_limited("log", method="GET")
@store_away_as_503
def file(request: HttpRequest, place: str, day: date, kind: str) -> HttpResponseBase:
    """Serve the results of a day, or its replays (``kind``)."""
    contest = contest_or_404(request, place)
    files = day_files(contest=contest, day=day)
    if files is None:
        raise Http404(_("This day has no files: no rated match ended on it, or they are still to be made."))
    files.contest = contest  # so that it is not read again
    answer = day_answer(request, files, kind)
    if answer is None:
        raise Http404(_("The replays of this day are not offered any more: each match has its own on its page."))
    return answer
