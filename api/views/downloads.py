"""API views of a contest's downloads."""

from __future__ import annotations

from datetime import date

from django.http import Http404
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from api.base import PagedApi, described, found_or_404
from api.serializers.downloads import DayFilesSerializer
from api.views.contests import ContestApi
from downloads.answers import replays_answer, results_answer
from downloads.models import DayFiles
from downloads.selectors.days import day_files, days_of


class DownloadsApi(ContestApi, PagedApi):
    """Views of a contest's days that have files."""

    @described(DayFilesSerializer(many=True))
    def days(self, request: Request, slug: str) -> object:
        """List the days of a contest that have files of results and replays, the last made first."""
        return days_of(contest=self.contest(slug))


class DayApi(ContestApi):
    """Views of a day's files."""

    def files(self, slug: str, day: str) -> DayFiles:
        """Return the files of a contest's day, which is written as in ``2026-11-28``.

        Raises:
            NotFound: there are none, or the caller may not see the contest.
            Http404: there is no such day.
        """
        contest = self.contest(slug)
        try:
            files = found_or_404(day_files(contest=contest, day=date.fromisoformat(day)))
        except ValueError as error:
            raise Http404 from error
        files.contest = contest
        return files

    @described(bytes, content_type="application/zstd", limit="log")
    def results(self, request: Request, slug: str, day: str) -> HttpResponseBase:
        """Download the results of a contest's day (JSON lines in zstandard, see docs/play/downloads.md)."""
        return results_answer(self.http_request, self.files(slug, day))

    @described(bytes, content_type="application/x-tar", limit="log")
    def replays(self, request: Request, slug: str, day: str) -> HttpResponseBase:
        """Download the replays of a contest's day (a tar of replay files); 404 when they are not offered any more."""
        return found_or_404(replays_answer(self.http_request, self.files(slug, day)))
