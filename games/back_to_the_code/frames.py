"""The data for viewers: the setting of a match, its frames, and commentary on its turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.commentary import event, leader
from core.game import Event, JsonObject
from games.back_to_the_code import protocol
from games.back_to_the_code.state import State


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
    seat leads; ``settled``: the ranking can no longer change.
    """
    if len(frames) < 2:
        return []
    before, after = frames[-2:]
    events = [*_returns(before, after)] or [
        event(after, "enclosed", seat, cells=new - old - 1)
        for seat, (old, new) in enumerate(zip(before["scores"], after["scores"], strict=True))
        if new > old + 1  # one of the cells is the one that it has stepped on
    ]
    leads = leader(after["scores"])
    leaders = (leader(frame["scores"]) for frame in frames[-2::-1])
    if leads not in (None, next((led for led in leaders if led is not None), None)):  # ties in between do not count
        events.append(event(after, "lead", leads, cells=after["scores"][leads]))
    if after["settled"] and not before["settled"]:
        events.append(event(after, "settled", None))
    return events


def _returns(before: JsonObject, after: JsonObject) -> Iterable[Event]:
    freed = sum(before["scores"]) - sum(after["scores"])
    undone = before["round"] - after["round"]
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        if new[2] < old[2]:
            yield (
                event(after, "back_wasted", seat)
                if undone < 0
                else event(after, "back", seat, round=after["round"] + 1, cells=freed)
            )
