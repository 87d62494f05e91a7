"""What the player of a seat may see of a running match of a game that hides something (``Game.hides``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.game import Game, JsonObject
from core.referee import Turn

_OWN_EVENTS = ("fault", "out")
"""The referee's events that the seat concerned is told at once; the rest of the commentary waits for the end."""


class Sight:
    """The lines of a replay as one seat may see them, for a game with ``hides``.

    Its frames are those of ``Game.seen`` in the states in which the seat is asked, so that they tell no more than its
    questions; the first is that of the first state in any case. In other turns the frame before stands still.

    The attack: a frame between two questions shows a unit that has come and gone, or whether a wall was in the way.
    """

    def __init__(self, game: Game[Any], seat: int) -> None:
        self.game, self.seat = game, seat
        self._frame: JsonObject | None = None

    def records(self, turn: Turn) -> list[JsonObject]:
        """Return the lines of ``turn.records`` for the seat; the header has the seed 0.

        The lines of the outcome, which end the match, may be shown as they are.
        """
        state = turn.asks[0].state
        frames = [record["frame"] for record in turn.records]
        if self._frame is None:
            self._frame = self.game.seen(state, 0, self.seat)
        shown = [{**self._frame, "turn": frame["turn"]} for frame in frames]
        if any(ask.seat == self.seat for ask in turn.asks):
            shown[-1] = self.game.seen(state, 0, self.seat)
        self._frame = shown[-1]
        return [self._line(record, frame) for record, frame in zip(turn.records, shown, strict=True)]

    def _line(self, record: JsonObject, frame: JsonObject) -> JsonObject:
        if "seed" in record:
            return {**record, "seed": 0, "frame": frame}
        seats: Sequence[Any] = record["seats"]
        return {
            **record,
            "frame": frame,
            "seats": [each if seat == self.seat else None for seat, each in enumerate(seats)],
            "events": [
                event for event in record["events"] if event["seat"] == self.seat and event["kind"] in _OWN_EVENTS
            ],
        }
