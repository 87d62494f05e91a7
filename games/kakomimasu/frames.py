"""The data for viewers: the setting of a match, its frames, and commentary on its turns."""

from __future__ import annotations

from collections.abc import Sequence

from core.commentary import event, lead_taken
from core.game import Event, JsonObject
from games.kakomimasu import protocol
from games.kakomimasu.state import State

RING_MIN = 3
"""The least number of cells enclosed at once for which there is an event; all are summed up at the end."""
QUIET = 2
"""How many turns without a loss end losses in a row."""
LEAD_TURNS = 3
"""How many turns a seat must lead before an event tells of the lead."""


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


def commentary(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events of the last turn.

    Kinds: ``enclosed``: a seat has enclosed an area in this turn. ``lost``: others have taken area of a seat in turns
    that ended ``QUIET`` turns ago, so that losses of turns in a row are one event. ``lead``: another seat has led for
    ``LEAD_TURNS`` turns.
    """
    if len(frames) < 2:
        return []
    now = len(frames) - 1
    events = []
    for seat in range(setting["players"]):
        gained = _gained(setting, frames, now, seat)
        if len(gained) >= RING_MIN:
            events.append(event(frames[-1], "enclosed", seat, cells=len(gained), points=sum(gained)))
        if now > QUIET and not any(_falls(frames, turn, seat) for turn in range(now - QUIET + 1, now + 1)):
            events += _losses(setting, frames, now - QUIET, seat)
    if (leads := lead_taken(frames, _totals, LEAD_TURNS)) is not None:
        events.append(event(frames[-1], "lead", leads, points=_totals(frames[-1])[leads]))
    return events


def closing(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events that the end of the match completes.

    Kinds: ``lost``, as in ``commentary``; ``rings``: all that a seat has enclosed.
    """
    now = len(frames) - 1
    events = []
    for seat in range(setting["players"]):
        falls = [turn for turn in range(max(1, now - QUIET + 1), now + 1) if _falls(frames, turn, seat)]
        events += _losses(setting, frames, falls[-1], seat) if falls else []
        rings = [gained for turn in range(1, now + 1) if (gained := _gained(setting, frames, turn, seat))]
        if len(rings) > 1:
            cells, points = sum(map(len, rings)), sum(map(sum, rings))
            events.append(event(frames[-1], "rings", seat, rings=len(rings), cells=cells, points=points))
    return events


def _losses(setting: JsonObject, frames: Sequence[JsonObject], turn: int, seat: int) -> list[Event]:
    """Return the event of a seat's losses in a row, of which the last was in this turn, if it was.

    Losses are in a row if fewer than ``QUIET`` turns are between them.
    """
    cells: list[int] = []
    quiet = 0 if _falls(frames, turn, seat) else QUIET
    while turn > 0 and quiet < QUIET:
        if _falls(frames, turn, seat):
            wall, area = "ABCD"[seat], "abcd"[seat]
            cells += [points for old, new, points in _changed(setting, frames, turn) if old == area and new != wall]
            quiet = 0
        else:
            quiet += 1
        turn -= 1
    return [event(frames[-1], "lost", seat, cells=len(cells), points=sum(cells))] if cells else []


def _totals(frame: JsonObject) -> list[int]:
    return [sum(points) for points in frame["points"]]


def _falls(frames: Sequence[JsonObject], turn: int, seat: int) -> bool:
    """Return whether the points of a seat's area are fewer after a turn than before."""
    return bool(frames[turn - 1]["points"][seat][1] > frames[turn]["points"][seat][1])


def _gained(setting: JsonObject, frames: Sequence[JsonObject], turn: int, seat: int) -> list[int]:
    """Return the points of each cell that has become a seat's area in a turn in which the area's points rise."""
    if frames[turn - 1]["points"][seat][1] >= frames[turn]["points"][seat][1]:
        return []  # most turns: the tiles need not be compared
    return [points for _, new, points in _changed(setting, frames, turn) if new == "abcd"[seat]]


def _changed(setting: JsonObject, frames: Sequence[JsonObject], turn: int) -> list[tuple[str, str, int]]:
    """Return the tile before and after a turn, and the points as area, of each cell whose tile has changed."""
    changed, width = [], setting["width"]
    for y, (before, after) in enumerate(zip(frames[turn - 1]["tiles"], frames[turn]["tiles"], strict=True)):
        points = setting["points"][y * width : (y + 1) * width]
        changed += [(old, new, abs(each)) for old, new, each in zip(before, after, points, strict=True) if old != new]
    return changed
