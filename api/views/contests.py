"""API views of contests: what they are, their boards and logs, and what organisers do.

Who may not see a contest gets 404, as for one that does not exist.
"""

from __future__ import annotations

from http import HTTPStatus

from rest_framework.request import Request

from api.base import REFUSED, Resource, SignedInApi, described, found_or_404
from api.serializers.contests import ContestQuery, ContestSerializer, GuideSerializer, WholeContestSerializer
from api.serializers.fleet import GameDeadlineSerializer, GameLimitsSerializer, GameStateSerializer
from api.serializers.ladder import BoardQuery, BoardSerializer
from api.views.games import board_shown, log_answer
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

    def organised(self, slug: str) -> Contest:
        """Return the contest with this key, if the caller may set it (``organises``).

        Raises:
            NotFound: there is none, or the caller does not organise it.
        """
        contest = self.contest(slug)
        return found_or_404(contest if organises(reader=self.reader, contest=contest) else None)

    @described(ContestSerializer(many=True), query=ContestQuery)
    def all(self, request: Request) -> object:
        """List the public contests, the open contest of each game among them, and those that you are in."""
        query = self.query()
        return contests_shown(reader=self.reader).filter(**query)

    @described(WholeContestSerializer)
    def show(self, request: Request, slug: str) -> object:
        """Show a contest: its rules, dates and limits."""
        return self.contest(slug)

    @described(BoardSerializer, query=BoardQuery)
    def board(self, request: Request, slug: str) -> object:
        """Show a page of a contest's leaderboard.

        The cursors `newer` and `older` name the pages above and below.
        """
        return board_shown(self.contest(slug), request)

    @described(GuideSerializer)
    def guide(self, request: Request, slug: str) -> object:
        """Show how to write a bot for a contest: rules, protocol, limits and an example, as Markdown."""
        contest = self.contest(slug)
        text = guide_text(guide_html(request=self.http_request, contest=contest))
        return {"contest": contest.slug, "game": contest.game, "text": text}

    @described(None, status=HTTPStatus.FOUND)
    def log(self, request: Request, slug: str) -> object:
        """Redirect to the log of a contest's rated matches, from which anybody can compute its board.

        The log of a private contest is for its members: a program that follows the redirect needs a session's cookie.
        """
        return log_answer(self.contest(slug))


class OrganiserApi(SignedInApi, ContestApi):
    """What organisers and administrators do with a contest. Others get 404."""

    @described(WholeContestSerializer, body=GameStateSerializer, problems=[REFUSED])
    def state(self, request: Request, slug: str) -> object:
        """Open, pause, freeze or archive a contest of yours; matches that are queued or played are still finished."""
        key, sent = self.organised(slug).pk, self.sent()
        contest_transition(contest=key, to=Contest.State(sent["state"]), actor=self.user, reason=sent["reason"])
        return self.contest(slug)

    @described(WholeContestSerializer, body=GameDeadlineSerializer, problems=[REFUSED])
    def deadline(self, request: Request, slug: str) -> object:
        """Set until when a contest of yours takes bots; matches go on after that."""
        contest_deadline_set(contest=self.organised(slug).pk, actor=self.user, **self.sent())
        return self.contest(slug)

    @described(WholeContestSerializer, body=GameLimitsSerializer, problems=[REFUSED])
    def limits(self, request: Request, slug: str) -> object:
        """Set the limits of bots of a contest of yours, for the matches that are handed out from now on."""
        contest_limits_set(contest=self.organised(slug).pk, actor=self.user, **self.sent())
        return self.contest(slug)
