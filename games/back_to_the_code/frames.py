"""The data for viewers: the setting of a match, its frames, and commentary on its turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter

from core.commentary import event, lead_taken
from core.game import Event, JsonObject
from games.back_to_the_code import protocol
from games.back_to_the_code.state import State

RING_MIN = 5
"""The least number of cells filled at once for which there is an event; all are summed up at the end."""
LEAD_TURNS = 10
"""How many turns a seat must lead before an event tells of the lead."""


def setting(state: State, b: int) -> JsonObject:
    """Return the constant data: ``width height rounds players``."""
    height, width = state.grid
    return {"width": width, "height": height, "rounds": state.limit, "players": len(state.spots)}


def frame(state: State, b: int) -> JsonObject:
    """Return the data that a viewer draws.

    ``turn``: number of rounds played; ``round``: number of rounds completed, which a BACK lowers; ``tiles``: rows of
    ``.`` or the owner's seat; ``seats``: for each seat [x, y, 1 if it still has its BACK, 1 if it is out]; ``scores``;
    ``settled``: whether the ranking can no longer change.
    """
    return {
        "turn": int(state.played[b]),
        "round": int(state.completed[b]),
        "tiles": protocol.rows(state, b),
        "seats": protocol.seats(state, b),
        "scores": state.counts[:, b].tolist(),
        "settled": bool(state.settled[b]),
    }


def commentary(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events of the last turn.

    Kinds: ``enclosed``: a seat has filled a zone; ``back``, ``back_wasted``: a seat has gone BACK; ``lead``: another
    seat has led for a while; ``settled``: the ranking can no longer change.
    """
    if len(frames) < 2:
        return []
    before, after = frames[-2:]
    events = [*_returns(before, after)]
    rings = [(seat, cells) for seat, cells in enumerate(_filled(before, after)) if cells >= RING_MIN]
    events += [event(after, "enclosed", seat, cells=cells) for seat, cells in rings]
    if (leads := lead_taken(frames, itemgetter("scores"), LEAD_TURNS)) is not None:
        events.append(event(after, "lead", leads, cells=after["scores"][leads]))
    if after["settled"] and not before["settled"]:
        events.append(event(after, "settled", None))
    return events


def closing(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events that the end of the match completes: ``rings``, all zones that a seat has filled."""
    filled = zip(*(_filled(*pair) for pair in pairwise(frames)), strict=True)
    rings = [[cells for cells in seat if cells] for seat in filled]
    return [
        event(frames[-1], "rings", seat, rings=len(closed), cells=sum(closed))
        for seat, closed in enumerate(rings)
        if len(closed) > 1
    ]


def _filled(before: JsonObject, after: JsonObject) -> list[int]:
    """Return the number of cells in the zones that each seat has filled in a turn."""
    if any(new[2] < old[2] for old, new in zip(before["seats"], after["seats"], strict=True)):
        return [0] * len(after["seats"])  # a BACK gives cells back
    pairs = zip(before["scores"], after["scores"], strict=True)
    return [max(0, new - old - 1) for old, new in pairs]  # one of the cells is the one that it has stepped on


def _returns(before: JsonObject, after: JsonObject) -> Iterable[Event]:
    freed = sum(before["scores"]) - sum(after["scores"])
    undone = before["round"] - after["round"]
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        if new[2] < old[2]:
            if undone < 0:
                yield event(after, "back_wasted", seat)
            else:
                yield event(after, "back", seat, round=after["round"] + 1, cells=freed)
