"""The data for viewers: the setting of a match, its frames, and commentary on its ticks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from operator import itemgetter

from core.commentary import event, lead_taken
from core.game import Event, JsonObject
from core.message import Message, bot
from games.puyo import protocol
from games.puyo.field import COLUMNS, VISIBLE_ROWS
from games.puyo.placements import SPAWN, SPAWN_HEIGHT
from games.puyo.state import TICKS, State

CHAIN_MIN = 2
"""The least number of steps of a chain for which there is an event."""
LEAD_TURNS = 5
"""How many turns a seat must lead before an event tells of the lead."""
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
    ``garbage``: at least a line has fallen, until one turn ago; ``danger``: in Tsu, little space is left where pairs
    appear; ``lead``: another seat has led for a while.
    """
    if len(frames) < 2:
        return []
    before, after = frames[-2:]
    events: list[Event] = []
    for seat in range(setting["players"]):
        events += _chain_events(setting, frames, seat)
        if not after["fallen"][seat]:
            events += _garbage(frames, -2, seat)
        old, new = (sum(row[SPAWN] != "." for row in frame["fields"][seat]) for frame in (before, after))
        if setting["hidden"] and new >= DANGER > old and not after["dead"][seat]:
            events.append(event(after, "danger", seat))
    if (leads := lead_taken(frames, itemgetter("scores"), LEAD_TURNS)) is not None:
        events.append(event(after, "lead", leads, points=after["scores"][leads]))
    return events


def closing(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the event of garbage that still falls at the end of the match."""
    return [each for seat in range(setting["players"]) for each in _garbage(frames, -1, seat)]


def reason(setting: JsonObject, last: JsonObject, ranks: Sequence[int]) -> Message | None:
    """Return why seats are first; None: by their points, since the last tick was played.

    Before the last tick a match ends when a seat has no room left: it dies, or leaves in Smash the Code.
    """
    if last["turn"] >= setting["ticks"] and not any(last["dead"]):
        return None
    others = [seat for seat, rank in enumerate(ranks) if rank > 1]
    return Message("no_room", {"other": bot(others[0])}) if others else Message("no_room_at_all")


def _garbage(frames: Sequence[JsonObject], last: int, seat: int) -> list[Event]:
    """Return the event of the garbage that has fallen on a seat in a row, up to the frame ``frames[last]``."""
    if not frames[last]["fallen"][seat]:
        return []
    fallen = sum(takewhile(bool, (frame["fallen"][seat] for frame in frames[last::-1])))
    return [event(frames[-1], "garbage", seat, puyos=fallen)] if fallen >= COLUMNS else []


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
