"""Helpers for the ``commentary`` methods of the games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from core.game import Event, JsonObject


def event(frame: JsonObject, kind: str, seat: int | None, /, **args: Any) -> Event:
    """Return an event about the turn that led to ``frame``; ``seat`` is None where the event concerns everybody.

    ``kind`` is also the kind of the message that tells the event, and ``args`` are the values of that message
    (``core.message.Message``).
    """
    return Event(turn=frame["turn"], kind=kind, seat=seat, args=args)


def leader(points: Sequence[int]) -> int | None:
    """Return the seat with the most points; None where several seats share the most."""
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


def lead_taken(frames: Sequence[JsonObject], points: Callable[[JsonObject], Sequence[int]], hold: int) -> int | None:
    """Return the seat that has now led alone for ``hold`` turns, if the last seat that did so was another or none.

    Otherwise return None. So a lead that goes to and fro is not told in each turn.

    Args:
        frames: all frames of the match so far.
        points: returns the points of each seat in a frame.
        hold: a number of turns, at least 1.
    """
    seat = leader(points(frames[-1]))
    if seat is None or (len(frames) > hold and leader(points(frames[-1 - hold])) == seat):
        return None
    if any(leader(points(frame)) != seat for frame in frames[-hold:]) or len(frames) < hold:
        return None
    leads, turns = None, 0
    for frame in reversed(frames[:-hold]):
        led = leader(points(frame))
        turns = turns + 1 if led == leads else 1
        leads = led
        if leads is not None and turns == hold:
            return seat if leads != seat else None
    return seat


def lead_changed(before: Sequence[int], after: Sequence[int]) -> int | None:
    """Return the seat that leads ``after`` but did not lead ``before``; None where no seat has taken the lead."""
    leads = leader(after)
    return leads if leads != leader(before) else None
