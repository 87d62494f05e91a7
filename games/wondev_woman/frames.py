"""The data for viewers: the setting of a match, its frames, and commentary on its turns."""

from __future__ import annotations

from core.commentary import event, lead_changed
from core.game import Event, JsonObject
from core.message import bot
from games.wondev_woman import actions, rules, view
from games.wondev_woman.state import SEATS, State


def setting(state: State, b: int) -> JsonObject:
    """Return the constant data: ``size``, number of ``units`` of each seat, ``league``."""
    return {"size": int(state.size[b]), "units": state.league.units, "league": state.league.number}


def frame(state: State, b: int) -> JsonObject:
    """Return the data that a viewer draws.

    ``turn``; ``rows`` as in the protocol; ``units``: [x, y] of each unit of each seat; ``scores`` and ``out`` of each
    seat; ``mover``: the seat to move, null if no seat is asked; ``actions``: its number of legal actions.
    """
    return {
        "turn": int(state.played[b]),
        "rows": view.rows(state, b),
        "units": [[list(place) for place in seat] for seat in view.places(state, b)],
        "scores": rules.scores(state)[:, b].tolist(),
        "out": state.out[:, b].tolist(),
        "mover": int(state.mover[b]) if rules.to_move(state)[b] else None,
        "actions": int(actions.count(state.legal[:, b : b + 1])[0]),
    }


def commentary(before: JsonObject, after: JsonObject) -> list[Event]:
    """Return the events of one turn, given the frames before and after it.

    Kinds: ``push``: a unit was pushed; ``blocked``: a hidden unit stood in the way; ``point``: a seat scored; ``lead``:
    another seat leads; ``out``: a seat accepted defeat or was at fault (in this case the referee replaces the event by
    its own); ``last_chance``: the seat to move has one legal action; ``stuck``: it has none.
    """
    seat = before["mover"]
    events = [] if seat is None else _acted(before, after, seat)
    events += [
        event(after, "out", other, why={"kind": "accepted_defeat", "args": {"points": after["scores"][other]}})
        for other in range(SEATS)
        if after["out"][other] > before["out"][other]
    ]
    leads = lead_changed(before["scores"], after["scores"])
    if leads is not None:
        events.append(event(after, "lead", leads, points=after["scores"][leads]))
    if after["mover"] is not None and after["actions"] <= 1:
        events.append(event(after, "last_chance" if after["actions"] else "stuck", after["mover"]))
    return events


def _acted(before: JsonObject, after: JsonObject, seat: int) -> list[Event]:
    """Return the events of a seat's action."""
    events: list[Event] = []
    if before["units"][1 - seat] != after["units"][1 - seat]:
        events.append(event(after, "push", seat, other=bot(1 - seat)))
    if before["rows"] == after["rows"] and before["out"] == after["out"]:
        events.append(event(after, "blocked", seat))
    if after["scores"][seat] > before["scores"][seat]:
        events.append(event(after, "point", seat, points=after["scores"][seat]))
    return events
