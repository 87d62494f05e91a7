"""The data for viewers: the setting of a match, its frames, and commentary on its turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, takewhile
from operator import itemgetter

from core.commentary import event, lead_taken
from core.game import Event, JsonObject
from core.message import Message, bot
from games.wondev_woman import actions, rules, view
from games.wondev_woman.state import SEATS, State

LEAD_TURNS = 4
"""How many turns a seat must lead before an event tells of the lead."""


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
        "mover": rules.asked_on(state, b),
        "actions": int(actions.count(state.legal[:, b : b + 1])[0]),
    }


def seen(state: State, b: int, seat: int) -> JsonObject:
    """Return the frame as a seat sees it in the fog: what its question tells, and its own points.

    Units of the opponent that the seat does not see are at [-1, -1]. The opponent's points are null: they would tell
    where a hidden unit has stepped. While the opponent is to move, the seat sees none of the opponent's units, and
    ``actions`` is null. When the match is over, it sees everything.
    """
    whole = frame(state, b)
    if not state.league.fog or state.over[b]:
        return whole
    own, foes = (view.places(state, b)[each] for each in (seat, 1 - seat))
    asked = whole["mover"] == seat
    visible = [list(place) if asked and view.sees(state, own, place) else [-1, -1] for place in foes]
    shown: JsonObject = {
        **whole,
        "units": [visible if each == 1 - seat else whole["units"][each] for each in range(SEATS)],
        "scores": [None if each == 1 - seat else whole["scores"][each] for each in range(SEATS)],
        "actions": whole["actions"] if asked else None,
    }
    return shown


def commentary(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events of the last turn.

    Kinds: ``push``: a seat has pushed units; ``blocked``: hidden units stood in its way; ``point``: it has climbed to
    the top; ``lead``: another seat has led for a while; ``out``: a seat accepted defeat or was at fault (in this case
    the referee replaces the event by its own); ``last_chance``: the seat to move has one legal action for the first
    time. What a seat does several times in a row is told when it does something else.
    """
    if len(frames) < 2:
        return []
    before, after = frames[-2:]
    mover = before["mover"]
    events = [] if mover is None else _ended(setting, frames, mover)
    why = "accepts_defeat" if before["actions"] else "cannot_act"
    events += [
        event(after, "out", seat, why={"kind": why, "args": {}})
        for seat in range(SEATS)
        if after["out"][seat] > before["out"][seat]
    ]
    if (leads := lead_taken(frames, itemgetter("scores"), LEAD_TURNS)) is not None:
        events.append(event(after, "lead", leads, points=after["scores"][leads]))
    if after["mover"] is not None and after["actions"] == 1:
        asked = next((frame["actions"] for frame in frames[-2::-1] if frame["mover"] == after["mover"]), 0)
        events += [event(after, "last_chance", after["mover"])] if asked != 1 else []
    return events


def closing(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events of what seats have done last, as in ``commentary``."""
    return [each for seat in range(SEATS) for each in _repeated(setting, frames[-1], seat, _deeds(frames, seat))]


def reason(setting: JsonObject, ranks: Sequence[int], scores: Sequence[float]) -> Message | None:
    """Return why seats are first; None: by their points."""
    if setting["league"] or ranks.count(1) > 1:
        return None
    winner = ranks.index(1)
    return Message("top") if scores[winner] > 0 else Message("others-out", {"count": 1, "other": bot(1 - winner)})


def _ended(setting: JsonObject, frames: Sequence[JsonObject], seat: int) -> list[Event]:
    """Return the event of what a seat did several times in a row, if its last action is something else; else []."""
    deeds = _deeds(frames, seat)
    now, last = next(deeds), next(deeds, None)
    return [] if now == last or last is None else _repeated(setting, frames[-1], seat, chain([last], deeds))


def _repeated(setting: JsonObject, frame: JsonObject, seat: int, deeds: Iterator[str | None]) -> list[Event]:
    """Return the event of what a seat did last, and before it in a row; none for the point that ends league 0."""
    deed = next(deeds, None)
    if deed is None:
        return []
    times = 1 + sum(1 for _ in takewhile(lambda other: other == deed, deeds))
    if deed == "point" and setting["league"]:
        return [event(frame, "point", seat, times=times, points=frame["scores"][seat])]
    if deed == "push":
        return [event(frame, "push", seat, times=times, other=bot(1 - seat))]
    return [event(frame, "blocked", seat, times=times)] if deed == "blocked" else []


def _deeds(frames: Sequence[JsonObject], seat: int) -> Iterator[str | None]:
    """Yield the kind of each action of a seat, the last one first; None for those that are nothing special."""
    for turn in range(len(frames) - 1, 0, -1):
        before, after = frames[turn - 1], frames[turn]
        if before["mover"] != seat:
            continue
        if before["units"][1 - seat] != after["units"][1 - seat]:
            yield "push"
        elif before["rows"] == after["rows"] and before["out"] == after["out"]:
            yield "blocked"
        else:
            yield "point" if after["scores"][seat] > before["scores"][seat] else None
