"""API views of matches, their replays and turn logs, and re-runs."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PagedApi, Resource, SignedInApi, created, described, found_or_404
from api.serializers.matches import MatchQuery, MatchSerializer, TurnSerializer, WholeMatchSerializer
from matches.models import Match
from matches.replay_files import replay_file
from matches.selectors import matches as selectors
from matches.selectors.filters import MatchFilter
from matches.services.reruns import match_rerun

RECORDS = {"type": "array", "items": {"type": "object", "additionalProperties": {}}}


class MatchesApi(PagedApi):
    """GET: a list of matches."""

    @described(MatchSerializer(many=True), query=MatchQuery)
    def get(self, request: Request) -> object:
        """List matches, newest first: rated ones, unless another kind is asked for."""
        query = self.query()
        return selectors.matches_list(chosen=MatchFilter(**query), reader=self.reader)


class MatchApi(Resource):
    """Views of one match."""

    def match(self, pk: int) -> Match:
        """Return the match, with the rows that its page shows.

        Raises:
            NotFound: there is none, or the caller may not see it.
        """
        return found_or_404(selectors.match_page(pk=pk, reader=self.reader))

    def replay(self, pk: int) -> tuple[str, str]:
        """Return the SHA-256 of a match's replay, and ``Match.audience``: who may cache the answer.

        Raises:
            NotFound: there is no such match or no replay of it, or the caller may not see the match.
        """
        match = found_or_404(selectors.match_plain(pk=pk, reader=self.reader))
        digest = found_or_404(selectors.match_replay_digest(pk=pk))
        return digest, match.audience

    @described(WholeMatchSerializer)
    def show(self, request: Request, pk: int) -> object:
        """Show a match: seats, result, attempts; to owners also the evidence of their bots' faults."""
        return self.match(pk)

    @described(bytes, content_type="application/zstd")
    def download(self, request: Request, pk: int) -> HttpResponseBase:
        """Download a match's replay (JSON lines in zstd)."""
        digest, audience = self.replay(pk)
        return replay_file(self.http_request, digest=digest, name=f"match-{pk}", audience=audience)

    @described(RECORDS)
    def records(self, request: Request, pk: int) -> Response:
        """Show the records of a match's replay: a header, one record per turn, a footer."""
        digest, _ = self.replay(pk)
        return Response(selectors.replay_records(digest=digest))


class OwnMatchApi(SignedInApi, MatchApi):
    """Views of one match for callers who are signed in."""

    @described(TurnSerializer(many=True))
    def turns(self, request: Request, pk: int) -> object:
        """Show what your own bots were asked, answered and wrote to standard error, turn by turn.

        404 if there is no log, since no bot wrote to standard error or was at fault (see the match's `has_log`): then
        the replay has everything.
        """
        return selectors.turns_for_reader(match=self.match(pk), reader=self.reader)

    @created(WholeMatchSerializer, limit="rerun", url=("api:match", "id"))
    def rerun(self, request: Request, pk: int) -> object:
        """Have a match played once more, unrated; if a re-run of it is under way already, that one is answered."""
        rerun = match_rerun(match=found_or_404(selectors.match_plain(pk=pk, reader=self.reader)))
        return self.match(rerun.pk)
