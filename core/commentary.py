"""What the commentaries of several games share."""

from __future__ import annotations

from collections.abc import Sequence

from core.game import Event, JsonObject

LEAD_CHANGES = "The lead changes hands."


def event(frame: JsonObject, kind: str, seat: int | None, text: str) -> Event:
    """Return an event of the turn that led to a frame."""
    return Event(turn=frame["turn"], kind=kind, seat=seat, text=text)


def leader(points: Sequence[int]) -> int | None:
    """Return the seat that alone has most points; None where several have."""
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


def lead_changed(before: Sequence[int], after: Sequence[int]) -> int | None:
    """Return the seat that alone has most points and had not; None where that is so of nobody."""
    leads = leader(after)
    return leads if leads != leader(before) else None


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an s: 1 cell, 2 cells."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
