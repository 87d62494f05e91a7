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
"""How many turns a seat must lead before it is told."""


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

    Kinds: ``enclosed``: a seat has enclosed area at once; ``lost``: others have taken area of a seat, until ``QUIET``
    turns ago; ``lead``: another seat has led for a while.
    """
    now = len(frames) - 1
    events = []
    for seat, (gained, _) in enumerate(_exchanged(setting, frames, now)):
        if len(gained) >= RING_MIN:
            events.append(event(frames[-1], "enclosed", seat, cells=len(gained), points=sum(gained)))
    events += _lost(setting, frames, now - QUIET) if now > QUIET else []
    if (leads := lead_taken(frames, _totals, LEAD_TURNS)) is not None:
        events.append(event(frames[-1], "lead", leads, points=_totals(frames[-1])[leads]))
    return events


def closing(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events that the end of the match completes.

    Kinds: ``lost``, as in ``commentary``; ``rings``: all that a seat has enclosed.
    """
    now = len(frames) - 1
    events = []
    for turn in range(max(1, now - QUIET + 1), now + 1):
        events += _lost(setting, frames, turn, now)
    rings: list[list[list[int]]] = [[] for _ in range(setting["players"])]
    for turn in range(1, now + 1):
        for seat, (gained, _) in enumerate(_exchanged(setting, frames, turn)):
            rings[seat] += [gained] if gained else []
    for seat, closed in enumerate(rings):
        cells = [points for ring in closed for points in ring]
        if len(closed) > 1:
            events.append(event(frames[-1], "rings", seat, rings=len(closed), cells=len(cells), points=sum(cells)))
    return events


def _lost(setting: JsonObject, frames: Sequence[JsonObject], last: int, now: int | None = None) -> list[Event]:
    """Return the events of seats whose losses in a row ended in turn ``last``.

    Losses are in a row if fewer than ``QUIET`` turns are between them.

    Args:
        setting: the constant data.
        frames: all frames of the match so far.
        last: a turn, at least 1.
        now: no losses are looked for after this turn; None: after ``QUIET`` more.
    """
    events = []
    for seat, (_, lost) in enumerate(_exchanged(setting, frames, last)):
        end = last + QUIET if now is None else now
        if not lost or any(_exchanged(setting, frames, turn)[seat][1] for turn in range(last + 1, end + 1)):
            continue
        quiet, turn = 0, last - 1
        while turn > 0 and quiet < QUIET:
            more = _exchanged(setting, frames, turn)[seat][1]
            quiet = 0 if more else quiet + 1
            lost += more
            turn -= 1
        events.append(event(frames[-1], "lost", seat, cells=len(lost), points=sum(lost)))
    return events


def _totals(frame: JsonObject) -> list[int]:
    return [sum(points) for points in frame["points"]]


def _exchanged(setting: JsonObject, frames: Sequence[JsonObject], turn: int) -> list[tuple[list[int], list[int]]]:
    """Return for each seat the points of each cell that became its area in a turn, and of each cell that it lost."""
    changed, width = [], setting["width"]  # old tile, new tile and points of each cell whose tile has changed
    for y, (old, new) in enumerate(zip(frames[turn - 1]["tiles"], frames[turn]["tiles"], strict=True)):
        if old != new:  # only few rows change
            points = setting["points"][y * width : (y + 1) * width]
            changed += [cell for cell in zip(old, new, points, strict=True) if cell[0] != cell[1]]
    return [
        (
            [abs(points) for _, new, points in changed if new == area],
            [abs(points) for old, new, points in changed if old == area and new != wall],
        )
        for wall, area in zip("ABCD"[: setting["players"]], "abcd", strict=False)
    ]
