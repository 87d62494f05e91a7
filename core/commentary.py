"""Helpers for the ``commentary`` methods of the games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.game import Event, JsonObject


def event(frame: JsonObject, kind: str, seat: int | None, /, **args: Any) -> Event:
    """Return an event about the turn that led to ``frame``; ``seat`` is None where the event concerns everybody.

    Args:
        frame: the frame of the event's turn.
        kind: the kind of the event, and of the message that tells it.
        seat: the seat concerned.
        args: the values of the message, see ``core.message.Message``.
    """
    return Event(turn=frame["turn"], kind=kind, seat=seat, args=args)


def leader(points: Sequence[int]) -> int | None:
    """Return the seat with the most points; None where several seats share the most."""
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


def lead_changed(before: Sequence[int], after: Sequence[int]) -> int | None:
    """Return the seat that leads ``after`` but did not lead ``before``; None where no seat has taken the lead."""
    leads = leader(after)
    return leads if leads != leader(before) else None
