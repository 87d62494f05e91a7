"""What a viewer gets: the fields and what hangs over them, and what happened."""

from __future__ import annotations

from collections.abc import Sequence

from core.commentary import LEAD_CHANGES, event, lead_changed
from core.game import Event, JsonObject
from games.puyo import protocol
from games.puyo.field import COLUMNS, VISIBLE_ROWS
from games.puyo.placements import SPAWN, SPAWN_HEIGHT
from games.puyo.state import TICKS, State

CHAIN_TOLD = 2
"""Steps of a chain that is worth telling."""
DANGER = SPAWN_HEIGHT - 1
"""Height of the spawn column at which one more pair may kill."""


def setting(state: State, b: int) -> JsonObject:
    """Return what never changes: ``ruleset columns rows hidden colours ticks players``; hidden: rows at the top."""
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
    """Return what is drawn, each but ``turn`` a list by seat.

    ``fields`` (rows as in the protocol), ``pairs`` (the known ones), ``scores pending fixed all_clear chain dead`` as
    in ``State`` (but garbage always in puyos), ``steps``: the number of the last step that popped in this turn, 0 if
    nothing did, and ``fallen``: the garbage that fell in it.
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
    """Return what a spectator wants to be told of the last turn.

    Kinds: ``chain``: a chain of two or more ended; ``all_clear``: nothing was left; ``garbage``: at least a line fell;
    ``danger``: in Tsu, little room is left where pairs appear; ``dead``; ``lead``: a seat has most points that had not,
    by other means than a chain that is told. The viewer names the seat, so the texts do without.
    """
    before, after = frames[-2:]
    events: list[Event] = []
    for seat in range(setting["players"]):
        told = [*_chain(setting, frames, seat), *_garbage(after, seat), *_end(setting, before, after, seat)]
        events += [event(after, kind, seat, text) for kind, text in told]
    leads = lead_changed(before["scores"], after["scores"])
    if leads is not None and not any(told["kind"] == "chain" and told["seat"] == leads for told in events):
        events.append(event(after, "lead", leads, LEAD_CHANGES))
    return events


def _chain(setting: JsonObject, frames: Sequence[JsonObject], seat: int) -> list[tuple[str, str]]:
    """Tell a chain that is over."""
    after = frames[-1]
    steps = after["steps"][seat]
    told = []
    if steps >= CHAIN_TOLD and not after["chain"][seat]:
        start = frames[-2] if setting["ruleset"] == "smash_the_code" else frames[-1 - steps]
        told.append(("chain", f"A chain of {steps}: {after['scores'][seat] - start['scores'][seat]} points."))
    if after["all_clear"][seat] and not frames[-2]["all_clear"][seat]:
        told.append(("all_clear", "All clear: the next chain sends 30 more."))
    return told


def _garbage(after: JsonObject, seat: int) -> list[tuple[str, str]]:
    """Tell garbage that fell."""
    fallen = after["fallen"][seat]
    return [("garbage", f"{fallen} garbage puyos fall.")] if fallen >= COLUMNS else []


def _end(setting: JsonObject, before: JsonObject, after: JsonObject, seat: int) -> list[tuple[str, str]]:
    """Tell that no room is left, or hardly any."""
    if after["dead"][seat]:
        return [("dead", "No room is left: the match is over.")]
    if not setting["hidden"]:
        return []
    old, new = (sum(row[SPAWN] != "." for row in frame["fields"][seat]) for frame in (before, after))
    return [("danger", "There is hardly any room left.")] if new >= DANGER > old else []
