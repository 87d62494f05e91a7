"""API views of a contest's downloads."""

from __future__ import annotations

from datetime import date

from django.http import Http404
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from api.base import PagedApi, described, found_or_404
from api.serializers.downloads import DayFilesSerializer
from api.views.contests import ContestApi
from downloads.answers import day_answer
from downloads.selectors.days import day_files, days_of


class DownloadsApi(ContestApi, PagedApi):
    """Views of the days of a contest, and of the files of results and replays of each day."""

    @described(DayFilesSerializer(many=True))
    def days(self, request: Request, slug: str) -> object:
        """List the days of a contest that have files of results and replays, the last made first."""
        return days_of(contest=self.contest(slug))

    @described(bytes, content_type="application/zstd", limit="log")
    def results(self, request: Request, slug: str, day: str) -> HttpResponseBase:
        """Download the results of a contest's day (JSON lines in zstandard, see docs/play/downloads.md)."""
        return self._file(slug, day, "results")

    @described(bytes, content_type="application/x-tar", limit="log")
    def replays(self, request: Request, slug: str, day: str) -> HttpResponseBase:
        """Download the replays of a contest's day (a tar of replay files); 404 when they are not offered any more."""
        return self._file(slug, day, "replays")

    def _file(self, slug: str, day: str, kind: str) -> HttpResponseBase:
        contest = self.contest(slug)
        try:
            files = found_or_404(day_files(contest=contest, day=date.fromisoformat(day)))
        except ValueError as error:
            raise Http404 from error
        files.contest = contest
        return found_or_404(day_answer(self.http_request, files, kind))
