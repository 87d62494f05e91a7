"""The requests of the API. No cookie counts here: players are known by a token, or by the secret of their seat."""

from __future__ import annotations

import secrets
import time
import unicodedata
import uuid
from collections.abc import Callable
from functools import partial, wraps
from http import HTTPStatus
from typing import Concatenate

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from knox.auth import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed

from accounts.models import User
from common.arrivals import waited_seconds
from common.credentials import credentials
from common.errors import InputError
from common.held import hold
from common.limits import action_count
from common.validators import validate_bot_name
from common.visitors import visitor_of
from exhibitions.selectors.names import guest_name
from exhibitions.services.opening import NAME_LENGTH_MAX
from kakomimasu_api.bodies import BODY_BYTES_MAX, Actions, Body, Code, Join, JoinAi, Refused, body_read
from kakomimasu_api.games import ai_named, board_named, contest_of_api, game_found, game_shown, is_begun
from kakomimasu_api.services import Joined, Joining, actions_take, ai_join, free_join, game_join, game_seen
from matches.models import Match

_BEGIN_WAIT_SECONDS = 5.0
"""How long the response of a player who joins waits for the table: some programs expect that the game's start is known
when they have joined."""
_BEARER = "Bearer"
_NO_INDEX = -1
"""The number of the seat in the response to a dry run."""

View = Callable[Concatenate[HttpRequest, ...], HttpResponse]


def _answers(method: str) -> Callable[[View], View]:
    """Decorate a view that only ``method`` may ask (GET: HEAD as well); other methods get 405.

    Refused and InputError, which the view may raise, become errors of the API.
    """

    def decorated(view: View) -> View:
        @csrf_exempt  # no cookie counts
        @never_cache
        @wraps(view)
        def answered(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if request.method not in (method, "HEAD" if method == "GET" else method):
                sentence = _("This url is asked by %(method)s.") % {"method": method}
                answer = _error(Refused(Code.NOT_FOUND, sentence, status=HTTPStatus.METHOD_NOT_ALLOWED))
                answer["Allow"] = method
                return answer
            try:
                return view(request, *args, **kwargs)
            except Refused as error:
                return _error(error)
            except InputError as error:
                return _error(Refused(Code.REQUEST, str(error)))

        return answered

    return decorated


@_answers("POST")
def ai_players(request: HttpRequest) -> HttpResponse:
    """Let a player play against the bot that he names."""
    wanted = _body(request, JoinAi)
    contest, joining = contest_of_api(), _joining(request, wanted)
    if wanted.dry_run:
        ai_named(contest=contest, name=wanted.ai_name)
        if wanted.board_name:
            board_named(wanted.board_name)
    return _joined(request, wanted, joining, partial(ai_join, contest=contest, wanted=wanted, joining=joining))


@_answers("POST")
def free_players(request: HttpRequest) -> HttpResponse:
    """Let a player join somebody who waits, or wait himself."""
    wanted = _body(request, Join)
    contest, joining = contest_of_api(), _joining(request, wanted)
    return _joined(request, wanted, joining, partial(free_join, contest=contest, joining=joining))


@_answers("POST")
def game_players(request: HttpRequest, key: str) -> HttpResponse:
    """Let a player join the game with this id."""
    wanted = _body(request, Join)
    contest, joining = contest_of_api(), _joining(request, wanted)
    game = game_found(key=key)
    return _joined(request, wanted, joining, partial(game_join, contest=contest, game=game, joining=joining))


@_answers("GET")
def game(request: HttpRequest, key: str) -> HttpResponse:
    """Tell how a game stands, or refuse while it is between two turns."""
    arrived = time.time() - waited_seconds(request)
    found = game_found(key=key)
    game_seen(game=found)
    return JsonResponse(game_shown(game=found, arrived=arrived))


@_answers("PATCH")
def game_actions(request: HttpRequest, key: str) -> HttpResponse:
    """Take what the agents of a player are to do in a turn; answer with its number and the Unix time of arrival."""
    arrived = time.time() - waited_seconds(request)
    found = game_found(key=key)
    actions = _body(request, Actions)
    turn = actions_take(game=found, pic=request.headers.get("Authorization", ""), actions=actions, arrived=arrived)
    return JsonResponse({"receptionUnixTime": int(arrived), "turn": turn})


@csrf_exempt  # no cookie counts
@never_cache
def unknown(_request: HttpRequest) -> HttpResponse:
    """Refuse a url that is none of the API's, as its programs understand it."""
    sentence = _("This arena has no such url. Please see which ones it has in docs/play/kakomimasu_api.md.")
    return _error(Refused(Code.NOT_FOUND, sentence, status=HTTPStatus.NOT_FOUND))


def _error(error: Refused) -> HttpResponse:
    return JsonResponse({"errorCode": int(error.code), "message": str(error)}, status=error.status)


def _body(request: HttpRequest, kind: type[Body]) -> Body:
    if request.content_type != "application/json":
        sentence = _("Please send the body as JSON, with the header Content-Type: application/json.")
        raise Refused(Code.CONTENT_TYPE, sentence)
    return body_read(request.read(BODY_BYTES_MAX + 1), kind)


def _count(request: HttpRequest) -> None:
    """Count a game that is opened; raise Refused above the limit ``table`` of ``ACCOUNT_RATE_LIMITS``."""
    if not action_count(request=request, action="table"):
        sentence = _("You have begun very many games. Please wait a few minutes.")
        raise Refused(Code.REQUEST, sentence, status=HTTPStatus.TOO_MANY_REQUESTS)


def _joining(request: HttpRequest, wanted: Join) -> Joining:
    """Return who sends a request.

    Programs of guests send some text as a token as well; therefore a name counts when the token does not.

    Raises:
        Refused: there is neither a token nor a name.
    """
    visitor, user = visitor_of(request), _user(request.headers.get("Authorization", ""))
    request.user = user or AnonymousUser()  # whom the limits count
    if user:
        return Joining(user.username, user, "", wanted.spec)
    if not wanted.guest_name:
        sentence = _("Please send an API token as Authorization: Bearer TOKEN, or a name as guestName.")
        raise Refused(Code.NO_USER, sentence)
    name = guest_name(contest=contest_of_api(), name=_guest_name(wanted.guest_name), chars_max=NAME_LENGTH_MAX)
    return Joining(name, None, visitor, wanted.spec)


def _user(authorization: str) -> User | None:
    token = credentials(header=authorization, scheme=_BEARER)
    if not token.isascii() or not token.replace("_", "").isalnum():
        return None
    try:
        user, _row = TokenAuthentication().authenticate_credentials(token.encode())
    except AuthenticationFailed:
        return None
    return user if isinstance(user, User) else None


def _guest_name(name: str) -> str:
    """Return a guest's name without what names here must not have; programs have names of all kinds built in."""
    plain = " ".join(unicodedata.normalize("NFKC", name).split())[:NAME_LENGTH_MAX].strip()
    kept = "".join(character for character in plain if character.isalnum() or character in " -_.")
    for each in (plain, " ".join(kept.split())):
        try:
            validate_bot_name(each)
        except ValidationError:
            continue
        return each
    return _("Guest")


def _joined(request: HttpRequest, wanted: Join, joining: Joining, join: Callable[[], Joined]) -> HttpResponse:
    """Let a player join by calling ``join``, and answer with the place; a dry run calls nothing and invents a place."""
    if wanted.dry_run:
        return _place(wanted, joining, str(uuid.uuid4()), _NO_INDEX, secrets.token_urlsafe(32))
    _count(request)
    joined = join()
    response = _place(wanted, joining, str(joined.game.pk), joined.seat, joined.pic)
    if joined.game.match:
        hold(response, until=partial(_has_begun, joined.game.match), seconds=_BEGIN_WAIT_SECONDS)
    return response


def _place(wanted: Join, joining: Joining, key: str, index: int, pic: str) -> HttpResponse:
    return JsonResponse({"userId": joining.name, "spec": wanted.spec, "gameId": key, "index": index, "pic": pic})


def _has_begun(match: Match) -> bool:
    try:
        return is_begun(match=match)
    except Refused:  # the broker is away, as the game's own url tells
        return True
