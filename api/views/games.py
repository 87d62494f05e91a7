"""API views of games, boards and programming languages."""

from __future__ import annotations

from http import HTTPStatus

from django.conf import settings
from django.shortcuts import redirect
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Resource, checked, described, found_or_404
from api.serializers.ladder import (
    BoardQuery,
    BoardSerializer,
    GameSerializer,
    LanguageSerializer,
    OverallRowSerializer,
)
from contests.models import Contest
from contests.selectors.contests import contest_at, contests_open
from jobs.selectors.languages import languages_all
from ladder.leagues import NAMES
from ladder.selectors.boards import BoardFilter, BoardPage, board_page
from ladder.selectors.overall import overall_board


class GameApi(Resource):
    """Views of games, each by its open contest, and of programming languages."""

    @described(GameSerializer(many=True))
    def all(self, request: Request) -> object:
        """List the games with their rules' options and the limits of bots."""
        return contests_open()

    @described(GameSerializer)
    def show(self, request: Request, game: str) -> object:
        """Show a game's options and the limits of its bots."""
        return _game(request, game)

    @described(BoardSerializer, query=BoardQuery)
    def board(self, request: Request, game: str) -> object:
        """Show a page of a game's leaderboard.

        The cursors `newer` and `older` name the pages above and below.
        """
        return board_shown(_game(request, game), request)

    @described(None, status=HTTPStatus.FOUND)
    def log(self, request: Request, game: str) -> object:
        """Redirect to the log of a game's rated matches.

        Each line is a JSON object, a version or a match; `python -m rating fit --log FILE` computes the board from it.
        """
        return log_answer(_game(request, game))

    @described(OverallRowSerializer(many=True))
    def overall(self, request: Request) -> object:
        """Show the board over all games, on which each owner has one row."""
        return overall_board(games=settings.GAMES)

    @described(LanguageSerializer(many=True))
    def languages(self, request: Request) -> object:
        """List the programming languages that bots may be written in."""
        return languages_all()


def board_shown(contest: Contest, request: Request) -> BoardPage:
    """Return the page of a contest's board that the query string of ``request`` (``BoardQuery``) asks for.

    Raises:
        ValidationError: a field of the query string is wrong.
    """
    query = checked(BoardQuery, request.query_params)
    league = NAMES.index(query["league"]) if "league" in query else None
    filters = {field: query.get(field, "") for field in ("name", "owner", "language")}
    return board_page(
        contest=contest.slug,
        chosen=BoardFilter(**filters, league=league),
        after=query.get("after", ""),
        before=query.get("before", ""),
    )


def log_answer(contest: Contest) -> Response:
    """Return a redirect to the log of a contest's rated matches."""
    target = redirect("matches:game_log", place=contest)
    return Response(status=target.status_code, headers={"Location": target["Location"]})


def _game(request: Request, name: str) -> Contest:
    return found_or_404(contest_at(place=f"games/{name}", reader=request.user))
