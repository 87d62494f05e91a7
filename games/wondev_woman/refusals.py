"""Finds out why an action is not legal, with the codes of the contest and in the order of its referee's checks."""

from __future__ import annotations

from enum import StrEnum

from games.wondev_woman import view
from games.wondev_woman.actions import KINDS, Action
from games.wondev_woman.board import DIRECTIONS, HEIGHT_MAX, Cell, pushable
from games.wondev_woman.state import State


class Refusal(StrEnum):
    """Reasons why an action is not legal.

    The values are the codes of the contest's referee, and the kinds of messages to a bot's author.
    """

    NO_PUSHING = "InvalidCommand"
    NO_CELL = "BadCoords"
    STEEP = "InvalidMove"
    REMOVED = "MoveTooHigh"
    OCCUPIED = "MoveOnUnit"
    NO_SITE = "InvalidPlace"
    SITE_REMOVED = "PlaceTooHigh"
    SITE_OCCUPIED = "PlaceOnUnit"
    NO_PUSH = "PushInvalid"
    NOBODY = "PushVoid"
    OWN_TEAM = "FriendlyFire"
    PUSH_OCCUPIED = "PushOnUnit"


def refusal(state: State, b: int, seat: int, action: Action) -> Refusal:
    """Return the reason why an illegal action is not legal."""
    if action.kind == KINDS[0]:
        return _move_refusal(state, b, seat, action)
    return _push_refusal(state, b, seat, action) if state.league.push else Refusal.NO_PUSHING


def _move_refusal(state: State, b: int, seat: int, action: Action) -> Refusal:
    places = view.places(state, b)
    start = places[seat][action.unit]
    target = _next(start, action.first)
    heights = _heights(state, b)
    units = places[0] + places[1]
    if target not in heights:
        return Refusal.NO_CELL
    if heights[target] > heights[start] + 1:
        return Refusal.STEEP
    if heights[target] == HEIGHT_MAX:
        return Refusal.REMOVED
    if target in units:
        return Refusal.OCCUPIED
    site = heights.get(_next(target, action.second))
    if site is None:
        return Refusal.NO_SITE
    return Refusal.SITE_REMOVED if site == HEIGHT_MAX else Refusal.SITE_OCCUPIED


def _push_refusal(state: State, b: int, seat: int, action: Action) -> Refusal:
    places = view.places(state, b)
    pushed = _next(places[seat][action.unit], action.first)
    heights = _heights(state, b)
    if action.second not in pushable(action.first):
        return Refusal.NO_PUSH
    if pushed not in places[0] + places[1]:
        return Refusal.NOBODY
    if pushed in places[seat]:
        return Refusal.OWN_TEAM
    height = heights.get(_next(pushed, action.second), HEIGHT_MAX)
    too_high = height == HEIGHT_MAX or height > heights[pushed] + 1
    return Refusal.NO_PUSH if too_high else Refusal.PUSH_OCCUPIED


def _heights(state: State, b: int) -> dict[Cell, int]:
    """Return the height of each cell that exists."""
    rows = view.rows(state, b)
    return {(x, y): int(char) for y, row in enumerate(rows) for x, char in enumerate(row) if char != "."}


def _next(place: Cell, direction: str) -> Cell:
    dx, dy = DIRECTIONS[direction]
    return place[0] + dx, place[1] + dy
