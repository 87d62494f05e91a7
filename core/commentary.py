"""Helpers for the ``commentary`` methods of the games."""

from __future__ import annotations

from collections.abc import Sequence

from core.game import Event, JsonObject

LEAD_CHANGES = "The lead changes hands."


def event(frame: JsonObject, kind: str, seat: int | None, text: str) -> Event:
    """Return an event about the turn that led to ``frame``; ``seat`` is None where the event concerns everybody."""
    return Event(turn=frame["turn"], kind=kind, seat=seat, text=text)


def leader(points: Sequence[int]) -> int | None:
    """Return the seat with the most points; None where several seats share the most."""
    best = max(points)
    return points.index(best) if points.count(best) == 1 else None


def lead_changed(before: Sequence[int], after: Sequence[int]) -> int | None:
    """Return the seat that leads ``after`` but did not lead ``before``; None where no seat has taken the lead."""
    leads = leader(after)
    return leads if leads != leader(before) else None


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural ends in s: ``1 cell``, ``2 cells``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
