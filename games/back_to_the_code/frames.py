"""What a viewer gets: what a match is played on, what the board looks like, what happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.commentary import counted, event, leader
from core.game import Event, JsonObject
from games.back_to_the_code import protocol
from games.back_to_the_code.state import State


def setting(state: State, b: int) -> JsonObject:
    """Return what never changes: ``width height rounds players``."""
    height, width = state.grid
    return {"width": width, "height": height, "rounds": state.limit, "players": len(state.spots)}


def frame(state: State, b: int) -> JsonObject:
    """Return what is drawn.

    ``turn``: rounds played; ``round``: rounds completed, which drops by a BACK; ``tiles``: rows, ``.`` or the owner's
    seat; ``seats``: x, y, 1 while its BACK is left, 1 when it is out; ``scores``; ``settled``: whether the ranking can
    no longer change.
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
    """Return what a spectator wants to be told of the last turn.

    Kinds: ``enclosed``: a seat filled a zone; ``back``: a seat went BACK; ``lead``: another seat than before has most
    cells; ``settled``: the ranking can no longer change. The viewer names the seat, so the texts do without.
    """
    if len(frames) < 2:
        return []
    before, after = frames[-2:]
    events = [*_returns(before, after)] or [*_enclosures(before, after)]
    leads = leader(after["scores"])
    if leads is not None and leads != _last_leader(frames[:-1]):
        text = f"The lead, with {counted(after['scores'][leads], 'cell')}."
        events.append(event(after, "lead", leads, text))
    if after["settled"] and not before["settled"]:
        events.append(event(after, "settled", None, "The ranking can no longer change: one more turn is played."))
    return events


def _returns(before: JsonObject, after: JsonObject) -> Iterable[Event]:
    freed = sum(before["scores"]) - sum(after["scores"])
    undone = before["round"] - after["round"]
    text = f"BACK: the match returns to round {after['round'] + 1}; {counted(freed, 'cell')} set free."
    if undone < 0:
        text = "BACK in the first round: spent for nothing."
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True)):
        if new[2] < old[2]:
            yield event(after, "back", seat, text)


def _enclosures(before: JsonObject, after: JsonObject) -> Iterable[Event]:
    for seat, (old, new) in enumerate(zip(before["scores"], after["scores"], strict=True)):
        if new > old + 1:  # one cell it steps on itself
            yield event(after, "enclosed", seat, f"A ring closes: {counted(new - old - 1, 'cell')}.")


def _last_leader(frames: Sequence[JsonObject]) -> int | None:
    """Return who led last, through all ties since."""
    leaders = (leader(frame["scores"]) for frame in reversed(frames))
    return next((leads for leads in leaders if leads is not None), None)
