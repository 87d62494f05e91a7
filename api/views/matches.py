"""Matches, their replays and logs, re-runs."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.http.response import HttpResponseBase
from django.urls import reverse
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Api, PagedApi, checked, described, found_or_404
from api.serializers.matches import MatchQuery, MatchSerializer, TurnSerializer, WholeMatchSerializer
from matches.models import Match
from matches.replay_files import replay_file
from matches.selectors import matches as selectors
from matches.selectors.filters import MatchFilter
from matches.services.reruns import match_rerun

RECORDS = {"type": "array", "items": {"type": "object", "additionalProperties": {}}}


class MatchesApi(PagedApi):
    """Matches."""

    @described(MatchSerializer(many=True), query=MatchQuery)
    def get(self, request: Request) -> Response:
        """List matches, newest first: rated ones, unless another kind is asked for."""
        query = checked(MatchQuery, request.query_params)
        rows = selectors.matches_list(chosen=MatchFilter(**query), reader=self.reader)
        return self.page(rows, MatchSerializer)


class MatchView(Api):
    """Something of one match."""

    def match(self, pk: int) -> Match:
        """Return a match that the caller may see, with all its page shows."""
        return found_or_404(selectors.match_page(pk=pk, reader=self.reader))

    def replay(self, pk: int) -> tuple[str, str]:
        """Return the digest of a match's replay, and who may keep a copy of the answer."""
        match = found_or_404(selectors.match_plain(pk=pk, reader=self.reader))
        digest = found_or_404(selectors.match_replay_digest(pk=pk))
        return digest, match.audience

    def shown(self, match: Match) -> dict[str, Any]:
        """Return a match as this caller may see it."""
        return WholeMatchSerializer(match, context={"reader": self.reader}).data


class MatchApi(MatchView):
    """One match."""

    @described(WholeMatchSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Show a match: seats, result, attempts; to owners the evidence of their bots' faults."""
        return Response(self.shown(self.match(pk)))


class ReplayApi(MatchView):
    """The replay as a file."""

    @described(bytes, content_type="application/zstd")
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """Download a match's replay (JSON lines in zstd)."""
        digest, audience = self.replay(pk)
        return replay_file(request._request, digest=digest, name=f"match-{pk}", audience=audience)


class RecordsApi(MatchView):
    """The replay as JSON."""

    @described(RECORDS)
    def get(self, request: Request, pk: int) -> Response:
        """Give the records of a match's replay: header, one a turn, footer."""
        digest, _ = self.replay(pk)
        return Response(selectors.replay_records(digest=digest))


class TurnsApi(MatchView):
    """The log of one's own bots."""

    permission_classes = [IsAuthenticated]

    @described(TurnSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """Tell what your own bots were asked, answered and wrote to standard error, turn by turn.

        404 where the replay tells all, since no bot wrote to standard error or was at fault: `has_log` says which.
        """
        turns = selectors.turns_for_reader(match=self.match(pk), reader=self.reader)
        return Response(TurnSerializer(turns, many=True).data)


class RerunApi(MatchView):
    """Re-runs."""

    permission_classes = [IsAuthenticated]
    site_limit = "rerun"

    @described(WholeMatchSerializer, status=HTTPStatus.CREATED, problems=[HTTPStatus.UNPROCESSABLE_ENTITY])
    def post(self, request: Request, pk: int) -> Response:
        """Have a match played once more, unrated; of one that is under way already, that one is shown."""
        rerun = match_rerun(match=found_or_404(selectors.match_plain(pk=pk, reader=self.reader)))
        location = reverse("api:match", args=[rerun.pk])
        return Response(self.shown(self.match(rerun.pk)), status=HTTPStatus.CREATED, headers={"Location": location})
