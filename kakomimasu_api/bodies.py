"""The bodies of requests of the API, and its errors."""

from __future__ import annotations

from enum import IntEnum
from http import HTTPStatus
from typing import Annotated, Literal, TypeVar

import msgspec
from django.utils.translation import gettext as _

from core.numbers import whole_numbers
from games.kakomimasu.boards import AGENTS_MAX, TURNS_MAX

BODY_BYTES_MAX = 16 << 10
"""Longest body of a request: several times what an action for each agent of the largest board takes."""
_SECONDS_MAX = 60

_Text = Annotated[str, msgspec.Meta(max_length=1_000, pattern=r"^[^\x00]*$")]
"""PostgreSQL stores no NUL."""
_Seconds = Annotated[int, msgspec.Meta(ge=1, le=_SECONDS_MAX)]


Body = TypeVar("Body", bound=msgspec.Struct)


class Code(IntEnum):
    """The numbers of errors in the API."""

    SERVER = 0
    CONTENT_TYPE = 2
    SYNTAX = 3
    NOT_FOUND = 5
    REQUEST = 6
    NO_GAME = 100
    NOT_FREE = 101
    NO_AI = 102
    TRANSITION = 105
    ENDED = 107
    NO_USER = 204
    WRONG_PIC = 207
    NO_BOARD = 400


class Refused(Exception):  # noqa: N818 - says what has happened
    """A request was refused. ``str(error)`` is a whole sentence for the author of the program."""

    def __init__(self, code: Code, sentence: str, *, status: int = HTTPStatus.BAD_REQUEST) -> None:
        """Make a refusal.

        Args:
            code: the number that programs of the project know.
            sentence: what is wrong, and what to do next.
            status: the HTTP status; the project's own server has 400 for nearly all.
        """
        super().__init__(sentence)
        self.code, self.status = code, status


class Join(msgspec.Struct, frozen=True, rename="camel"):
    """Somebody joins a game. Fields that are not known are ignored."""

    spec: _Text = ""
    """A remark of the player about his program, which everybody sees who asks for the game."""
    guest_name: _Text = ""
    """The player's name, if he sends no token of a user."""
    dry_run: bool = False
    """Whether the request is only checked."""


class JoinAi(Join, frozen=True, rename="camel", kw_only=True):
    """Somebody plays against a bot."""

    ai_name: _Text
    board_name: _Text = ""
    """A published board; empty: any."""
    n_agent: Annotated[int, msgspec.Meta(ge=1, le=AGENTS_MAX)] | None = None
    """Agents of each player; None: as the board says."""
    n_player: Literal[2] = 2
    total_turn: Annotated[int, msgspec.Meta(ge=1, le=TURNS_MAX)] | None = None
    operation_sec: _Seconds | None = None
    transition_sec: _Seconds | None = None


class Action(msgspec.Struct, frozen=True, rename="camel"):
    """What an agent is to do in a turn."""

    agent_id: int
    """Number of the agent, from 0."""
    type: Literal["PUT", "MOVE", "REMOVE", "NONE"]
    x: int | None = None
    y: int | None = None


class Actions(msgspec.Struct, frozen=True, rename="camel"):
    """What some agents are to do in this turn; the others keep what they were told in it before."""

    actions: list[Action]
    dry_run: bool = False


def body_read(body: bytes, kind: type[Body]) -> Body:
    """Return the body of a request.

    Clients in JavaScript leave out what is undefined, those in other languages send null; both mean the default.

    Raises:
        Refused: the body is too long, no JSON, or not of this kind; or an action lacks x and y.
    """
    if len(body) > BODY_BYTES_MAX:
        sentence = _("The body has more than %(max)d bytes. Please send each agent's action once.")
        raise Refused(Code.REQUEST, sentence % {"max": BODY_BYTES_MAX}, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
    try:
        value = whole_numbers(msgspec.json.decode(body))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(Code.SYNTAX, _("The body is no JSON. Please send an object.")) from error
    try:
        given = {name: each for name, each in value.items() if each is not None} if isinstance(value, dict) else value
        read = msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        sentence = _("The body is not as this request needs it: %(problem)s.")
        raise Refused(Code.REQUEST, sentence % {"problem": error}) from error
    if isinstance(read, Actions) and any(
        action.type != "NONE" and (action.x is None or action.y is None) for action in read.actions
    ):
        raise Refused(Code.REQUEST, _("Every action but NONE needs x and y."))
    return read
