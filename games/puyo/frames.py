"""The data for viewers: the setting of a match, its frames, and commentary on its ticks."""

from __future__ import annotations

from collections.abc import Sequence

from core.commentary import event, lead_changed
from core.game import Event, JsonObject
from games.puyo import protocol
from games.puyo.field import COLUMNS, VISIBLE_ROWS
from games.puyo.placements import SPAWN, SPAWN_HEIGHT
from games.puyo.state import TICKS, State

CHAIN_MIN = 2
"""The least number of steps of a chain for which there is an event."""
DANGER = SPAWN_HEIGHT - 1
"""Height of the spawn column at which one more pair may kill the seat."""


def setting(state: State, b: int) -> JsonObject:
    """Return the constant data: ``ruleset columns rows hidden colours ticks players``; hidden: of the rows."""
    rules = state.rules
    return {
        "ruleset": rules.name,
        "columns": COLUMNS,
        "rows": rules.rows,
        "hidden": rules.rows - VISIBLE_ROWS,
        "colours": rules.colours,
        "ticks": TICKS[rules],
        "players": len(state.dead),
    }


def frame(state: State, b: int) -> JsonObject:
    """Return the data that a viewer draws; each item except ``turn`` is a list by seat.

    ``fields`` (rows as in the protocol), ``pairs`` (the known ones), ``scores pending fixed all_clear chain dead`` as
    in ``State`` (but garbage always in puyos), ``steps``: the number of the last step that popped in this turn, 0 if
    none did, and ``fallen``: the number of garbage puyos that fell in this turn.
    """
    numbers = {name: getattr(state, name)[:, b].tolist() for name in _BY_SEAT}
    pending = state.pending[:, b] * (COLUMNS if state.smash else 1)
    return {
        "turn": int(state.tick[b]),
        "fields": [list(rows) for rows in protocol.pictures(state, b)],
        "pairs": protocol.pairs(state, b),
        "scores": state.score[:, b].tolist(),
        "pending": pending.tolist(),
        **numbers,
    }


_BY_SEAT = ("fixed", "all_clear", "chain", "steps", "fallen", "dead")


def commentary(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events of the last turn.

    Kinds: ``chain``: a chain of two or more steps has ended; ``all_clear``: the field is empty after a chain;
    ``garbage``: at least a line has fallen; ``danger``: in Tsu, little space is left where pairs appear; ``dead``: a
    seat is dead; ``lead``: another seat leads, unless it has an event ``chain``.
    """
    before, after = frames[-2:]
    events: list[Event] = []
    for seat in range(setting["players"]):
        events += _chain_events(setting, frames, seat)
        if (fallen := after["fallen"][seat]) >= COLUMNS:
            events.append(event(after, "garbage", seat, puyos=fallen))
        old, new = (sum(row[SPAWN] != "." for row in frame["fields"][seat]) for frame in (before, after))
        if after["dead"][seat]:
            events.append(event(after, "dead", seat))
        elif setting["hidden"] and new >= DANGER > old:
            events.append(event(after, "danger", seat))
    leads = lead_changed(before["scores"], after["scores"])
    if leads is not None and not any(each["kind"] == "chain" and each["seat"] == leads for each in events):
        events.append(event(after, "lead", leads, points=after["scores"][leads]))
    return events


def _chain_events(setting: JsonObject, frames: Sequence[JsonObject], seat: int) -> list[Event]:
    """Return the events of a seat whose chain has ended."""
    after = frames[-1]
    steps = after["steps"][seat]
    events = []
    if steps >= CHAIN_MIN and not after["chain"][seat]:
        start = frames[-2] if setting["ruleset"] == "smash_the_code" else frames[-1 - steps]
        points = after["scores"][seat] - start["scores"][seat]
        events.append(event(after, "chain", seat, steps=steps, points=points))
    if after["all_clear"][seat] and not frames[-2]["all_clear"][seat]:
        events.append(event(after, "all_clear", seat))
    return events
