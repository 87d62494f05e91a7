"""API views of tables: programs on their authors' machines that play against bots of the arena.

A user opens a table with an API token. Then a program plays there without a token: it sends the secret of its seat in
the header ``Authorization: Seat SECRET``.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from redis import RedisError
from rest_framework.exceptions import APIException, MethodNotAllowed, NotFound
from rest_framework.request import Request

from api.base import NOT_FOUND, UNAVAILABLE, Api, SignedInApi, checked, created, described, found_or_404
from api.problems import Problem, problem_json
from api.serializers import tables as serializers
from common.credentials import credentials
from common.threads import ask_database
from exhibitions.seat_events import seat_news
from exhibitions.selectors.opponents import opponent_of
from exhibitions.selectors.seats import place_in_line, question_open, seat_names, seat_of_secret
from exhibitions.services.answering import ANSWER_BYTES_MAX, answer_read, seat_answer
from exhibitions.services.opening import Player
from exhibitions.services.seating import table_against
from ladder.selectors.bots import bot_for_reader
from matches.models import RemoteSeat

WAIT_SECONDS_MIN = 1.0
"""How many seconds a request for news waits at least: looking them up takes some of the time."""
SCHEME = "Seat"
TABLE_URL = ("api:table", "id")


def seat_or_404(request: HttpRequest | Request, pk: int) -> RemoteSeat:
    """Return the seat whose secret the header ``Authorization`` has, with its match, whose primary key is ``pk``.

    1 query.

    Raises:
        NotFound: the header has the secret of no seat of this match.
    """
    secret = credentials(header=request.headers.get("Authorization", ""), scheme=SCHEME)
    seat = seat_of_secret(match=pk, secret=secret) if secret else None
    if seat is None:
        raise NotFound(_("You have no seat at this table. Send the seat's secret as `Authorization: Seat SECRET`."))
    return seat


class TablesApi(SignedInApi):
    """POST: open a table."""

    @created(
        serializers.TableOpenedSerializer,
        body=serializers.TableOpenSerializer,
        problems=[NOT_FOUND],
        limit="table",
        url=TABLE_URL,
    )
    def post(self, request: Request) -> object:
        """Open a table at which a program of yours plays against a bot, by the rules of the bot's contest."""
        sent = self.sent()
        bot = found_or_404(bot_for_reader(pk=sent["bot"], reader=self.reader))
        version = found_or_404(opponent_of(contest=bot.contest, bot=bot.pk))
        player = Player(sent["name"] or self.user.username, self.user, "", sent["clock_seconds"], sent["tries"])
        opened = table_against(version=version, player=player, size=sent["seats"], seat=sent["seat"])
        ((seat, secret),) = opened.secrets.items()
        url = request.build_absolute_uri(reverse("matches:match", args=[opened.match.pk]))
        return {"match": opened.match, "url": url, "seat": seat, "secret": secret}


class SeatApi(Api):
    """The base of views for the player of a seat, whose secret is the permission."""

    authentication_classes = []
    throttle_classes = []  # ``seat_answer`` counts answers by seat: a quick game has more than the API's limit


class TableApi(SeatApi):
    """GET: a table, as the player of a seat sees it."""

    @described(serializers.RemoteTableSerializer, problems=[NOT_FOUND, UNAVAILABLE])
    def get(self, request: Request, pk: int) -> object:
        """Show a table of which you have a seat: its state, and what you are asked now."""
        seat = seat_or_404(request, pk)
        try:
            question = question_open(seat=seat)
        except RedisError as error:
            sentence = _("The table cannot be reached now. Please try again in a few seconds.")
            raise Problem(sentence, UNAVAILABLE) from error
        place, names = place_in_line(match=seat.match), seat_names(match=seat.match)
        return {"seat": seat, "place": place, "names": names, "question": question}


class TableAnswerApi(SeatApi):
    """POST: answer the open question, or leave."""

    @described(
        None,
        status=HTTPStatus.ACCEPTED,
        body=serializers.AnswerSerializer,
        problems=[NOT_FOUND, HTTPStatus.CONFLICT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, UNAVAILABLE],
    )
    def post(self, request: Request, pk: int) -> None:
        """Answer what your seat is asked, or give up."""
        seat = seat_or_404(request, pk)
        seat_answer(seat=seat, answer=answer_read(body=self.http_request.read(ANSWER_BYTES_MAX + 1)))


class TableNewsApi(SeatApi):
    """GET: what is new for a seat.

    It is asynchronous, unlike the library's views, each of which would hold a thread while it waits.
    """

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view function, an asynchronous one; it answers errors as the API's other views do."""

        async def view(request: HttpRequest, pk: int) -> HttpResponseBase:
            api = cls(**initkwargs)
            try:
                if request.method != "GET":
                    raise MethodNotAllowed(str(request.method))
                answer: HttpResponseBase = await api.get(request, pk)
            except APIException as error:
                answer = problem_json(error, {"view": api})
            answer["Allow"], answer["Cache-Control"] = "GET", "no-store"
            return answer

        # By these the library finds what the OpenAPI schema describes.
        view.cls, view.initkwargs = cls, initkwargs  # type: ignore[attr-defined]
        return csrf_exempt(view)

    @described(serializers.NewsSerializer, query=serializers.NewsQuery, problems=[NOT_FOUND])
    async def get(self, request: HttpRequest, pk: int) -> JsonResponse:
        """Tell what is new for your seat; wait if nothing is."""
        seat: RemoteSeat = await ask_database(seat_or_404, request, pk)
        query = checked(serializers.NewsQuery, request.GET)
        language = get_language() or settings.LANGUAGE_CODE
        news = await seat_news(
            seat=seat, after=query["after"], wait_seconds=max(query["wait"], WAIT_SECONDS_MIN), language=language
        )
        return JsonResponse({"events": news.events, "after": news.after})
