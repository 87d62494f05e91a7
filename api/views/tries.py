"""API views of tries: matches with files that are no version of any bot, each for its author alone."""

from __future__ import annotations

from http import HTTPStatus

from django.http.response import HttpResponseBase
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from api.base import NOT_FOUND, JsonFiles, Resource, SignedInApi, created, described, found_or_404
from api.serializers.matches import TurnSerializer
from api.serializers.tries import TryBeginSerializer, TrySerializer
from contests.selectors.contests import contest_seen, contest_unknown
from exhibitions.selectors.opponents import opponent_of
from matches.replay_files import replay_file
from workshop.models import Try
from workshop.selectors.origins import origin_of
from workshop.selectors.tries import try_of, try_told, try_turns
from workshop.services.tries import try_begin


class TryApi(Resource, SignedInApi):
    """Views of the caller's tries."""

    parser_classes = [JsonFiles]

    @created(
        TrySerializer,
        body=TryBeginSerializer,
        problems=[NOT_FOUND, HTTPStatus.CONFLICT],
        limit="try",
        url=("api:try", "id"),
    )
    def begin(self, request: Request) -> object:
        """Have a program built and play one match, without making it a version of a bot; nothing is rated.

        You can have one try at a time. Ask for it until its state is finished, rejected or failed.
        """
        sent = self.sent()
        contest = contest_seen(slug=sent["contest"], reader=self.reader)
        if contest is None:
            raise ValidationError({"contest": [contest_unknown()]})
        bot = sent.pop("bot")
        match, tried, turn = (sent.pop(f"from_{name}") for name in ("match", "try", "turn"))
        opponent = None if bot is None else found_or_404(opponent_of(contest=contest, bot=bot)).pk
        origin = origin_of(match=match, tried=tried, turn=turn, contest=contest, reader=self.user) if turn else None
        return try_told(tried=try_begin(owner=self.user, opponent=opponent, origin=origin, **sent))

    @described(TrySerializer)
    def show(self, request: Request, pk: int) -> object:
        """Show how far a try of yours has come, and its result. Tries are kept for two days."""
        return try_told(tried=self._tried(pk))

    @described(TurnSerializer(many=True))
    def turns(self, request: Request, pk: int) -> object:
        """Show what the program was asked, answered and wrote to standard error, turn by turn."""
        return try_turns(tried=self._tried(pk))

    @described(bytes, content_type="application/zstd")
    def replay(self, request: Request, pk: int) -> HttpResponseBase:
        """Download the replay of a try of yours (JSON lines in zstd)."""
        digest = self._tried(pk).replay_digest
        return replay_file(self.http_request, digest=digest, name=f"try-{pk}", audience="private")

    def _tried(self, pk: int) -> Try:
        return found_or_404(try_of(pk=pk, reader=self.reader))
