"""API views of contests: what they are, their boards and logs, and what organisers do.

Who may not see a contest gets 404, as for one that does not exist.
"""

from __future__ import annotations

from http import HTTPStatus

from rest_framework.request import Request
from rest_framework.response import Response

from api.base import REFUSED, Resource, SignedInApi, checked, described, found_or_404
from api.serializers.contests import ContestQuery, ContestSerializer, GuideSerializer, WholeContestSerializer
from api.serializers.fleet import GameDeadlineSerializer, GameLimitsSerializer, GameStateSerializer
from api.serializers.ladder import BoardQuery, BoardSerializer
from api.views.games import board_answer, log_answer
from contests.models import Contest
from contests.selectors.contests import contest_seen, contests_shown
from contests.selectors.people import organises
from contests.services.contests import contest_deadline_set, contest_limits_set, contest_transition
from ladder.guides.rendering import guide_html
from ladder.guides.text import guide_text


class ContestApi(Resource):
    """Views of contests."""

    def contest(self, slug: str) -> Contest:
        """Return the contest with this key.

        Raises:
            NotFound: there is none, or the caller may not see it.
        """
        return found_or_404(contest_seen(slug=slug, reader=self.reader))

    def shown(self, slug: str) -> Response:
        """Return an answer with the contest's present state, read from the database."""
        return Response(WholeContestSerializer(self.contest(slug), context={"reader": self.reader}).data)

    @described(ContestSerializer(many=True), query=ContestQuery)
    def all(self, request: Request) -> Response:
        """List the public contests, the open contest of each game among them, and those that you are in."""
        query = checked(ContestQuery, request.query_params)
        return Response(ContestSerializer(contests_shown(reader=self.reader).filter(**query), many=True).data)

    @described(WholeContestSerializer)
    def show(self, request: Request, slug: str) -> Response:
        """Show a contest: its rules, dates and limits."""
        return self.shown(slug)

    @described(BoardSerializer, query=BoardQuery)
    def board(self, request: Request, slug: str) -> Response:
        """Show a page of a contest's leaderboard.

        The cursors `newer` and `older` name the pages above and below.
        """
        return board_answer(self.contest(slug), request)

    @described(GuideSerializer)
    def guide(self, request: Request, slug: str) -> Response:
        """Show how to write a bot for a contest: rules, protocol, limits and an example, as Markdown."""
        contest = self.contest(slug)
        text = guide_text(guide_html(request=self.http_request, contest=contest))
        return Response(GuideSerializer({"contest": contest.slug, "game": contest.game, "text": text}).data)

    @described(None, status=HTTPStatus.FOUND)
    def log(self, request: Request, slug: str) -> Response:
        """Redirect to the log of a contest's rated matches, from which anybody can compute its board.

        The log of a private contest is for its members: a program that follows the redirect needs a session's cookie.
        """
        return log_answer(self.contest(slug))


class OrganiserApi(SignedInApi, ContestApi):
    """What organisers and administrators do with a contest. Others get 404."""

    def organised(self, slug: str) -> str:
        """Return the key of a contest that the caller organises.

        Raises:
            NotFound: there is none.
        """
        contest = self.contest(slug)
        return found_or_404(contest.slug if organises(reader=self.reader, contest=contest) else None)

    @described(WholeContestSerializer, body=GameStateSerializer, problems=[REFUSED])
    def state(self, request: Request, slug: str) -> Response:
        """Open, pause, freeze or archive a contest of yours; matches that are queued or played are still finished."""
        key, sent = self.organised(slug), checked(GameStateSerializer, request.data)
        contest_transition(contest=key, to=Contest.State(sent["state"]), actor=self.user, reason=sent["reason"])
        return self.shown(slug)

    @described(WholeContestSerializer, body=GameDeadlineSerializer, problems=[REFUSED])
    def deadline(self, request: Request, slug: str) -> Response:
        """Set until when a contest of yours takes bots; matches go on after that."""
        key = self.organised(slug)
        contest_deadline_set(contest=key, actor=self.user, **checked(GameDeadlineSerializer, request.data))
        return self.shown(slug)

    @described(WholeContestSerializer, body=GameLimitsSerializer, problems=[REFUSED])
    def limits(self, request: Request, slug: str) -> Response:
        """Set the limits of bots of a contest of yours, for the matches that are handed out from now on."""
        key = self.organised(slug)
        contest_limits_set(contest=key, actor=self.user, **checked(GameLimitsSerializer, request.data))
        return self.shown(slug)
