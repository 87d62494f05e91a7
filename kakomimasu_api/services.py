"""Lets players join games of the API, and takes their actions."""

from __future__ import annotations

import random
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from redis import RedisError

from accounts.models import User
from contests.models import Contest
from exhibitions.selectors.seats import Asked, question_at, seat_broker, seat_keys, seat_of_secret, secret_hash
from exhibitions.services.answering import NotTaken, seat_answer
from exhibitions.services.opening import Player, table_open, tables_most, tables_open_of, visitor_hash
from games.kakomimasu.boards import AGENTS_MAX, NAMES, named
from jobs.locks import lock_register
from kakomimasu_api.bodies import Actions, Code, JoinAi, Refused
from kakomimasu_api.games import START_SECONDS, ai_named, board_named, stream_awaited
from kakomimasu_api.mapping import IDLE, answer_of, orders_of
from kakomimasu_api.models import KakomimasuGame
from ladder.models import BotVersion
from matches.models import Match, RemoteSeat
from wire.jobs import RealTime
from wire.tables import TABLE_KEY_SECONDS, Answer

WAITING_SECONDS = 30
"""A player who waits and has not asked for his game for this long is gone; programs ask several times a second."""
_SEEN_SECONDS = 5
"""How often it is noted that somebody has asked for a game."""
_OPERATION_SECONDS = _TRANSITION_SECONDS = 1
"""The times of a turn, unless a player wishes others; as in the project's own server."""
_DRAWN = [name for name in NAMES if named(name).agents <= AGENTS_MAX]
"""Names of the boards of which one is drawn for players who name none: those without more agents than bots know."""
_joining_lock = lock_register(4, "joining games of the Kakomimasu API")
_SECRET_BYTES = 32
_OPENER, _SECOND = 0, 1


class Joining(NamedTuple):
    """Somebody who wants to play."""

    name: str
    user: User | None
    """None for guests."""
    visitor: str
    """As ``exhibitions.services.opening.Player.visitor``."""
    spec: str = ""
    """What he says of his program."""


class Joined(NamedTuple):
    """A player's place in a game."""

    game: KakomimasuGame
    seat: int
    """Number of the seat."""
    pic: str
    """The seat's secret, which he sends with each action."""


@transaction.atomic
def ai_join(*, contest: Contest, wanted: JoinAi, joining: Joining) -> Joined:
    """Open a table for a player and one of our bots.

    Raises:
        Refused: there is no such bot or board.
        InputError: no table can be opened; the text says why.
    """
    version = ai_named(contest=contest, name=wanted.ai_name)
    game = _game_new(joining, wanted.board_name, agents=wanted.n_agent, turns=wanted.total_turn)
    game.operation_seconds = wanted.operation_sec or _OPERATION_SECONDS
    game.transition_seconds = wanted.transition_sec or _TRANSITION_SECONDS
    pics = _open(contest, game, {_OPENER: _player(joining), _SECOND: version})
    return Joined(game, _OPENER, pics[_OPENER])


@transaction.atomic
def free_join(*, contest: Contest, joining: Joining) -> Joined:
    """Let a player join the game in which somebody waits, or wait in a new one.

    Raises:
        InputError: no table can be opened; the text says why.
    """
    # The attack: of two players at once each sees that nobody waits, and both wait.
    _joining_lock()
    for game in KakomimasuGame.objects.filter(match=None).select_related("waiting_user").order_by("seen_at"):
        if _still_waits(contest, game, joining):
            return _second_joins(contest, game, joining)
        game.delete()
    return _waits(joining)


@transaction.atomic
def game_join(*, contest: Contest, game: KakomimasuGame, joining: Joining) -> Joined:
    """Let a player join a game in which somebody waits.

    Raises:
        Refused: it has two players already, or the first one is gone.
        InputError: no table can be opened; the text says why.
    """
    _joining_lock()
    waiting = KakomimasuGame.objects.filter(pk=game.pk, match=None).select_related("waiting_user").first()
    if waiting is None or not _still_waits(contest, waiting, joining):
        raise Refused(Code.NOT_FREE, _("This game is not free any more. Please join a free game."))
    return _second_joins(contest, waiting, joining)


def game_seen(*, game: KakomimasuGame) -> None:
    """Store that the first player of a game still asks for it: others may join while that player waits."""
    now = timezone.now()
    if game.match_id is None and game.seen_at < now - timedelta(seconds=_SEEN_SECONDS):
        KakomimasuGame.objects.filter(pk=game.pk).update(seen_at=now)


def actions_take(*, game: KakomimasuGame, pic: str, actions: Actions, arrived: float) -> int:
    """Take what a player's agents are to do in this turn, and return the turn's number.

    Args:
        game: as ``games.game_found`` returns it.
        pic: the secret of his seat.
        actions: they change what was sent for the same agents in this turn.
        arrived: Unix time at which the request reached the site.

    Raises:
        Refused: the secret is wrong, no turn takes actions now, or they could not be passed on.
    """
    seat = seat_of_secret(match=game.match_id, secret=pic) if game.match_id else None
    if seat is None:
        raise Refused(
            Code.WRONG_PIC,
            _("The header Authorization must hold the pic that you got when you joined, and nothing else."),
        )
    if seat.match.state in (Match.State.FINISHED, Match.State.VOID):
        raise Refused(Code.ENDED, _("This game has ended."))
    try:
        keys = seat_keys(seat=seat)
        asked = question_at(keys=keys) if keys else None
        if not asked or not asked.left:
            stream_awaited(game=game, match=seat.match, arrived=arrived)
            asked = question_at(keys=keys) if keys else None
        if keys is None or asked is None or not asked.left:
            sentence = _("No turn takes actions just now. Please send them when the next one begins.")
            raise Refused(Code.TRANSITION, sentence)
        if actions.dry_run:
            return asked.question.turn
        lines = _merged(keys.taken, asked, orders_of(actions.actions))
    except RedisError as error:
        sentence = _("The actions could not be passed on. Please send them once more.")
        raise Refused(Code.SERVER, sentence, status=503) from error
    try:
        seat_answer(seat=seat, answer=Answer(asked.question.number, lines))
    except NotTaken as error:
        status = 400 if error.status == 409 else error.status
        raise Refused(Code.TRANSITION if status == 400 else Code.SERVER, str(error), status=status) from error
    return asked.question.turn


def _merged(taken: str, asked: Asked, orders: Mapping[int, str]) -> list[str]:
    """Add ``orders``, by agent, to those sent before in the same turn, and return all lines of the answer.

    Raises:
        redis.exceptions.RedisError: the broker is away.
    """
    agents = asked.question.answer_lines
    known: dict[Any, Any] = {str(agent): order for agent, order in orders.items() if 0 <= agent < agents}
    key = f"{taken}.orders.{asked.question.number}"
    with seat_broker().pipeline() as pipe:
        if known:
            pipe.hset(key, mapping=known)
            pipe.expire(key, TABLE_KEY_SECONDS)
        pipe.hgetall(key)
        stored = pipe.execute()[-1]
    return answer_of({int(agent): order.decode() for agent, order in stored.items()}, agents=agents)


def _game_new(joining: Joining, board_name: str, *, agents: int | None, turns: int | None) -> KakomimasuGame:
    name = board_name or random.choice(_DRAWN)  # noqa: S311 - which board is no secret
    board = board_named(name)
    return KakomimasuGame(
        board=name,
        agents=agents or board.agents,
        turns=turns or board.turns,
        operation_seconds=_OPERATION_SECONDS,
        transition_seconds=_TRANSITION_SECONDS,
        specs=[joining.spec],
        seen_at=timezone.now(),
    )


def _player(joining: Joining) -> Player:
    return Player(joining.name, joining.user, joining.visitor, clock_seconds=0, tries=1)


def _open(contest: Contest, game: KakomimasuGame, seats: Mapping[int, BotVersion | Player]) -> dict[int, str]:
    """Open the table of a game, save the game, and return the secrets of the players' seats by seat."""
    times = RealTime(START_SECONDS, game.operation_seconds, game.transition_seconds, IDLE)
    options = {"board": game.board, "agents": game.agents, "turns": game.turns}
    opened = table_open(contest=contest, seats=seats, real_time=times, options=options)
    game.match = opened.match
    game.save()
    return opened.secrets


def _waits(joining: Joining) -> Joined:
    game = _game_new(joining, "", agents=None, turns=None)
    pic = secrets.token_urlsafe(_SECRET_BYTES)
    game.waiting_name, game.waiting_user = joining.name, joining.user
    game.waiting_visitor = "" if joining.user else visitor_hash(joining.visitor)
    game.waiting_secret_hash = secret_hash(pic)
    game.save()
    return Joined(game, _OPENER, pic)


def _still_waits(contest: Contest, game: KakomimasuGame, joining: Joining) -> bool:
    """Return whether the first player is there and may have one more table.

    The attack: somebody with as many tables as he may have waits as well, and everybody who joins him is refused.
    """
    is_there = game.seen_at >= timezone.now() - timedelta(seconds=WAITING_SECONDS)
    # Of a guest's network only a hash is stored. So a trusted network is known only if the second player is in it, too.
    is_same = bool(game.waiting_visitor) and game.waiting_visitor == visitor_hash(joining.visitor)
    most = tables_most(contest=contest, user=game.waiting_user, visitor=joining.visitor if is_same else "")
    return is_there and tables_open_of(user=game.waiting_user, visitor=game.waiting_visitor) < most


def _second_joins(contest: Contest, game: KakomimasuGame, joining: Joining) -> Joined:
    # What is stored of the first player was made when he came: it takes the place of what a new seat gets.
    first = Player(game.waiting_name, game.waiting_user, f"waits in {game.pk}", clock_seconds=0, tries=1)
    stored = {"secret_hash": game.waiting_secret_hash, "visitor": game.waiting_visitor}
    game.waiting_name, game.waiting_user, game.waiting_visitor, game.waiting_secret_hash = "", None, "", ""
    game.specs = [*(game.specs or [""]), joining.spec]
    pics = _open(contest, game, {_OPENER: first, _SECOND: _player(joining)})
    RemoteSeat.objects.filter(match=game.match, index=_OPENER).update(**stored)
    return Joined(game, _SECOND, pics[_SECOND])
