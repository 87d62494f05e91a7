"""The protocol between referee and bot, exactly that of CodinGame's contest.

Introduction: the size n of the board, then the number of units of each seat.

Each turn: n rows of the board (``.`` for no cell, else its height, 0 to 4), then ``x y`` of each of the bot's units,
then of each unit of the opponent, ``-1 -1`` if it is hidden, then the number of legal actions, then these, one a line.
Bots learn neither points nor the number of their seat.

Answer: one line, one of the legal actions in upper or lower case, or ``ACCEPT-DEFEAT``. After white space, any message
may follow; it is shown nowhere, but is part of the replay, like all answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import to_builtins
from numpy.typing import NDArray

from core.game import IllegalAnswer, quoted
from core.message import Message
from games.wondev_woman import actions, view
from games.wondev_woman.actions import Action
from games.wondev_woman.board import DIRECTIONS
from games.wondev_woman.refusals import refusal
from games.wondev_woman.state import State

FIRST_CPU_MS: Final = 1_000
"""CPU time for the first answer."""
CPU_MS: Final = 50
"""CPU time for every further answer."""

HIDDEN: Final = "-1 -1"

_DIRECTION = "|".join(DIRECTIONS)
# White space and the case of letters are those of ASCII, and a message ends with its line, as in the contest.
# The attack: an answer with many blanks, which a pattern can divide between white space and message in many ways, keeps
# the referee busy for most of a minute. So a message does not begin with white space.
_MESSAGE = r"(?:\s+(?P<message>[^\s\x85\u2028\u2029][^\n\r\x85\u2028\u2029]*)?)?"
ACTION: Final = re.compile(
    rf"(?P<kind>(?:MOVE|PUSH)&BUILD)\s+(?P<unit>\d)\s+(?P<first>{_DIRECTION})\s+(?P<second>{_DIRECTION}){_MESSAGE}",
    re.ASCII | re.IGNORECASE,
)
DEFEAT: Final = re.compile(rf"ACCEPT-DEFEAT{_MESSAGE}", re.ASCII | re.IGNORECASE)


def introduction(state: State, b: int, seat: int) -> list[str]:
    """Return the lines that a bot reads before the first turn."""
    return [str(state.size[b]), str(state.league.units)]


def observation(state: State, b: int, seat: int) -> list[str]:
    """Return the lines of a question to a seat, as if it were to move."""
    places = view.places(state, b)
    own, foes = places[seat], places[1 - seat]
    legal = actions.lines(view.words(state, b, seat))
    return [
        *view.rows(state, b),
        *(f"{x} {y}" for x, y in own),
        *(f"{x} {y}" if view.sees(state, own, (x, y)) else HIDDEN for x, y in foes),
        str(len(legal)),
        *legal,
    ]


def read(match: re.Match[str]) -> Action:
    """Return the action of a line that ``ACTION`` matches. A unit of its number may not exist."""
    kind, unit, first, second = match.group("kind", "unit", "first", "second")
    return Action(kind.upper(), int(unit), first.upper(), second.upper())


def parse(state: State, b: int, seat: int, lines: Sequence[str]) -> NDArray[np.int16]:
    """Return the number of the action that an answer stands for: (), 16 bits.

    Raises:
        IllegalAnswer: the answer is not an action, or not a legal one.
    """
    if len(lines) != 1:
        raise IllegalAnswer("one-line", count=len(lines))
    if DEFEAT.fullmatch(lines[0]):
        return np.array(actions.ACCEPT_DEFEAT, np.int16)
    match = ACTION.fullmatch(lines[0])
    if match is None:
        raise IllegalAnswer("no_action", answer=quoted(lines[0]))
    action = read(match)
    if action.unit >= state.league.units:
        raise IllegalAnswer("no_unit", unit=action.unit)
    if not view.is_legal(state, b, seat, action.number):
        why = Message(refusal(state, b, seat, action))
        raise IllegalAnswer("illegal_action", action=str(action), why=to_builtins(why))
    return np.array(action.number, np.int16)
