"""What a viewer gets: what a match is played on, what the board looks like, what happened."""

from __future__ import annotations

from core.commentary import LEAD_CHANGES, counted, event, lead_changed
from core.game import Event, JsonObject
from games.kakomimasu import protocol
from games.kakomimasu.state import State


def setting(state: State, b: int) -> JsonObject:
    """Return what never changes: ``width height points`` (row by row) ``agents turns players``."""
    return {
        "width": int(state.width[b]),
        "height": int(state.height[b]),
        "points": [value for row in protocol.points(state, b) for value in row],
        "agents": int(state.agent_count[b]),
        "turns": int(state.turns[b]),
        "players": len(state.agents),
    }


def frame(state: State, b: int) -> JsonObject:
    """Return what is drawn: ``turn tiles agents points results``, as in the protocol; results by ``Result``."""
    return {
        "turn": int(state.played[b]),
        "tiles": protocol.tiles(state, b),
        "agents": protocol.agents(state, b),
        "points": state.scores[..., b].tolist(),
        "results": protocol.results(state, b),
    }


def commentary(setting: JsonObject, before: JsonObject, after: JsonObject) -> list[Event]:
    """Return what a spectator wants to be told of one turn, given the frames round it.

    Kinds: ``enclosed``: a seat got area; ``lost``: others took area of a seat; ``lead``: a seat has most points that
    had not, by other means. The viewer names the seat, so the texts do without.
    """
    leads = lead_changed(_totals(before), _totals(after))
    changed = _changed(setting, before, after)
    events: list[Event] = []
    for seat in range(setting["players"]):
        gained, lost = _exchanged(changed, seat)
        if gained:
            text = f"A ring closes: {_worth(gained)}"
            text += ", and the lead." if seat == leads else "."
            events.append(event(after, "enclosed", seat, text))
        if lost:
            events.append(event(after, "lost", seat, f"Area is lost: {_worth(lost)}."))
    if leads is not None and not any(told["kind"] == "enclosed" and told["seat"] == leads for told in events):
        events.append(event(after, "lead", leads, LEAD_CHANGES))
    return events


def _totals(frame: JsonObject) -> list[int]:
    return [sum(points) for points in frame["points"]]


def _changed(setting: JsonObject, before: JsonObject, after: JsonObject) -> list[tuple[str, str, int]]:
    """Return the cells that have another tile than before: the old tile, the new one, and the points."""
    changed, width = [], setting["width"]
    for y, (old, new) in enumerate(zip(before["tiles"], after["tiles"], strict=True)):
        if old != new:  # few rows are
            points = setting["points"][y * width : (y + 1) * width]
            changed += [cell for cell in zip(old, new, points, strict=True) if cell[0] != cell[1]]
    return changed


def _exchanged(changed: list[tuple[str, str, int]], seat: int) -> tuple[list[int], list[int]]:
    """Return the points of cells that became area of a seat, and of its area that others made theirs."""
    wall, area = "ABCD"[seat], "abcd"[seat]
    gained = [abs(points) for _, new, points in changed if new == area]
    lost = [abs(points) for old, new, points in changed if old == area and new != wall]
    return gained, lost


def _worth(points: list[int]) -> str:
    return f"{counted(len(points), 'cell')}, {counted(sum(points), 'point')}"
