"""The data for viewers: the setting of a match, its frames, and commentary on its turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from banzuke.sdk import Event, JsonObject, Message, bot, event
from banzuke_tron.protocol import SIGNS, rows
from banzuke_tron.rules import HEAD_ON, START, TRAIL, WALL, State, coordinates

RIDES, CRASHED, OUT = 0, 1, 2
"""What a seat does, in frames."""
_GROUP = ("other", "third", "fourth")


def setting(state: State, b: int) -> JsonObject:
    """Return the constant data: ``width height players``."""
    height, width = state.grid
    return {"width": width, "height": height, "players": len(state.heads)}


def frame(state: State, b: int) -> JsonObject:
    """Return the data that a viewer draws.

    ``turn``; ``tiles``: rows of ``.`` for a free cell, ``0`` to ``3`` for the start of a seat, and a letter for a cell
    of a trail: ``a`` to ``d`` if seat 0 has ridden into it up, right, down or left, ``e`` to ``h`` for seat 1, and so
    on; ``seats``: for each [x, y, what it does]; ``crashes``: for each seat None or [turn, x, y of the cell that it
    hit, what it hit]: ``wall``, ``head`` or the seat whose trail it was; ``scores``: cells ridden.
    """
    places = [coordinates(state, spot) for spot in state.heads[:, b].tolist()]
    crashes = [_crash(state, b, seat) for seat in range(len(places))]
    doing = np.where(state.out[:, b], OUT, np.where(state.crash_turn[:, b], CRASHED, RIDES)).tolist()
    return {
        "turn": int(state.turn[b]),
        "tiles": rows(state, b, SIGNS),
        "seats": [[x, y, does] for (x, y), does in zip(places, doing, strict=True)],
        "crashes": crashes,
        "scores": state.lengths[:, b].tolist(),
    }


def _crash(state: State, b: int, seat: int) -> list[int | str] | None:
    turn, into = int(state.crash_turn[seat, b]), int(state.crash_into[seat, b])
    if not turn:
        return None
    hit = {WALL: "wall", HEAD_ON: "head"}.get(into, into - START if into < TRAIL else (into - TRAIL) // 4)
    return [turn, *coordinates(state, int(state.crash_spot[seat, b])), hit]


def commentary(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events of the last turn: each crash, and when two seats are left of more."""
    if len(frames) < 2:
        return []
    before, after = frames[-2:]
    events = [*_crashes(after)]
    riding, rode = _riding(after), _riding(before)
    if len(riding) == 2 < len(rode):
        events.append(event(after, "last-two", riding[0], other=bot(riding[1])))
    return events


def _crashes(frame: JsonObject) -> Iterator[Event]:
    """Yield the events of the crashes of a frame's turn; a head-on crash is one event."""
    met: dict[tuple[int, int], list[int]] = {}
    for seat, crash in enumerate(frame["crashes"]):
        if crash is None or crash[0] != frame["turn"]:
            continue
        _, x, y, hit = crash
        if hit == "head":
            met.setdefault((x, y), []).append(seat)
        elif hit == "wall":
            yield event(frame, "into-wall", seat)
        elif hit == seat:
            yield event(frame, "into-own-trail", seat)
        else:
            yield event(frame, "into-trail", seat, other=bot(hit))
    for first, *others in met.values():
        names = {name: bot(seat) for name, seat in zip(_GROUP, others, strict=False)}
        yield event(frame, "head-on", first, count=1 + len(others), **names)


def _riding(frame: JsonObject) -> list[int]:
    return [seat for seat, (*_, does) in enumerate(frame["seats"]) if does == RIDES]


def reason(frames: Sequence[JsonObject], ranks: Sequence[int]) -> Message:
    """Return why the seats of rank 1 are first."""
    if ranks.count(1) > 1:
        return Message("crashed-together")
    return Message("rides-last", {"cells": max(frames[-1]["scores"])})
