"""The data for viewers: the setting of a match, its frames, and commentary on its turns."""

from __future__ import annotations

from core.commentary import event, lead_changed
from core.game import Event, JsonObject
from games.kakomimasu import protocol
from games.kakomimasu.state import State


def setting(state: State, b: int) -> JsonObject:
    """Return the constant data: ``width height points`` (row by row) ``agents turns players``."""
    return {
        "width": int(state.width[b]),
        "height": int(state.height[b]),
        "points": [value for row in protocol.points(state, b) for value in row],
        "agents": int(state.agent_count[b]),
        "turns": int(state.turns[b]),
        "players": len(state.agents),
    }


def frame(state: State, b: int) -> JsonObject:
    """Return the data that a viewer draws: ``turn tiles agents points results``, see the protocol and ``Result``."""
    return {
        "turn": int(state.played[b]),
        "tiles": protocol.tiles(state, b),
        "agents": protocol.agents(state, b),
        "points": state.scores[..., b].tolist(),
        "results": protocol.results(state, b),
    }


def commentary(setting: JsonObject, before: JsonObject, after: JsonObject) -> list[Event]:
    """Return the events of one turn, given the frames before and after it.

    Kinds: ``enclosed``: a seat has enclosed area; ``enclosed_lead``: and leads now; ``lost``: others have taken area of
    a seat; ``lead``: another seat leads otherwise.
    """
    leads = lead_changed(_totals(before), _totals(after))
    # Old tile, new tile and points of each cell whose tile has changed.
    changed, width = [], setting["width"]
    for y, (old, new) in enumerate(zip(before["tiles"], after["tiles"], strict=True)):
        if old != new:  # only few rows change
            points = setting["points"][y * width : (y + 1) * width]
            changed += [cell for cell in zip(old, new, points, strict=True) if cell[0] != cell[1]]
    events: list[Event] = []
    for seat in range(setting["players"]):
        gained, lost = _exchanged(changed, seat)
        if gained:
            kind = "enclosed_lead" if seat == leads else "enclosed"
            events.append(event(after, kind, seat, cells=len(gained), points=sum(gained)))
        if lost:
            events.append(event(after, "lost", seat, cells=len(lost), points=sum(lost)))
    if leads is not None and not any(each["kind"] == "enclosed_lead" for each in events):
        events.append(event(after, "lead", leads, points=_totals(after)[leads]))
    return events


def _totals(frame: JsonObject) -> list[int]:
    return [sum(points) for points in frame["points"]]


def _exchanged(changed: list[tuple[str, str, int]], seat: int) -> tuple[list[int], list[int]]:
    """Return the points of each cell that has become area of a seat, and of each cell of its area that it has lost."""
    wall, area = "ABCD"[seat], "abcd"[seat]
    gained = [abs(points) for _, new, points in changed if new == area]
    lost = [abs(points) for old, new, points in changed if old == area and new != wall]
    return gained, lost
