"""The data for viewers: the setting of a match, its frames, and commentary on its turns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any

from core.commentary import event, lead_taken
from core.game import Event, JsonObject
from core.message import bot
from games.attack25 import protocol
from games.attack25.state import CHIPS, COLOURS, FAULTS_MAX, TAKES, State

_CAPTURE_MIN = 3
"""The least number of panels turned over at once for which there is an event."""

LEAD_ROUNDS = 2
"""How many rounds a seat must lead before an event tells of the lead."""


def setting(state: State, b: int) -> JsonObject:
    """Return the constant data: ``mode rounds chips width height`` and ``colours``, the letter of each seat."""
    mode, colours = "bid" if state.auction else "order", list(COLOURS[: len(state.owned)])
    return {"mode": mode, "rounds": TAKES, "chips": CHIPS, "width": 5, "height": 5, "colours": colours}


def frame(state: State, b: int) -> JsonObject:
    """Return the data that a viewer draws.

    ``turn``; ``round``, from 1 (0: all rounds have been played); ``chance``: whether it is the Attack Chance;
    ``tiles``: the rows as in the protocol; ``panels faults``: the number of each seat; ``chips bids``: those of each
    seat (bids of the last auction), null in order mode; ``order``: the colours as they win ties, or of the bag;
    ``picks``: the seat that is to pick, or null; ``legal class``: the panels it may take and their ``Class`` ([] and
    null if no seat is to pick); ``taken erased``: the panels taken and emptied in this turn, or null.
    """
    text = protocol.panels(state, b)
    picked = state.played > 0 and (not state.auction or not state.picking)
    return {
        "turn": state.played,
        "round": 0 if state.over else state.takes + 1,
        "chance": state.chance,
        "tiles": protocol.rows(state, b),
        "panels": [text.count(colour) for colour in COLOURS[: len(state.owned)]],
        "chips": state.chips[:, b].tolist() if state.auction else None,
        "bids": state.bids[:, b].tolist() if state.auction else None,
        "faults": state.faults[:, b].tolist(),
        "order": protocol.order(state, b),
        "picks": int(state.mover[b]) if state.picking else None,
        "legal": protocol.legal(state, b) if state.picking else [],
        "class": protocol.kind(state, b) if state.picking else None,
        "taken": int(state.taken[b]) if picked else None,
        "erased": (int(state.erased[b]) or None) if picked else None,
    }


def commentary(setting: JsonObject, frames: Sequence[JsonObject]) -> list[Event]:
    """Return the events of the last turn.

    Kinds: ``chance``: the Attack Chance begins; ``capture``, ``capture_most``: many panels turn over; ``erased``,
    ``erased_own``: a panel is emptied, which had an owner before or was just taken; ``lead``: another seat has led for
    a while; ``wiped``: a seat has lost its last panel; ``broke``: a seat has spent its last chips; ``invalid_bid``,
    ``invalid_pick``: a seat's answer was invalid.
    """
    if len(frames) < 2:
        return []
    before, after = frames[-2:]
    events = []
    if after["chance"] and not before["chance"]:
        events.append(event(after, "chance", None))
    if after["taken"] is not None:
        captured = _captured(before, after)
        if captured >= _CAPTURE_MIN:
            most = captured > max((_captured(*pair) for pair in pairwise(frames[:-1])), default=0)
            events.append(event(after, "capture_most" if most else "capture", before["picks"], panels=captured))
        if after["erased"] is not None:
            colour = "".join(before["tiles"])[after["erased"] - 1]
            whose: dict[str, Any] = {} if colour == "." else {"owner": bot(COLOURS.index(colour))}
            kind = "erased" if whose else "erased_own"
            events.append(event(after, kind, before["picks"], number=after["erased"], **whose))
    rounds = LEAD_ROUNDS * (2 if setting["mode"] == "bid" else 1)  # an auction is a turn, too
    if (leads := lead_taken(frames, itemgetter("panels"), rounds)) is not None:
        events.append(event(after, "lead", leads, panels=after["panels"][leads]))
    for seat in range(len(setting["colours"])):
        events += _loss_events(before, after, seat)
    return events


def _captured(before: JsonObject, after: JsonObject) -> int:
    """Return how many panels have turned over between two frames."""
    pairs = zip("".join(before["tiles"]), "".join(after["tiles"]), strict=True)
    return sum(old != new and "." not in (old, new) for old, new in pairs)


def _loss_events(before: JsonObject, after: JsonObject, seat: int) -> list[Event]:
    """Return the events of a seat that lost its panels or chips, or answered invalidly."""
    events = []
    if before["panels"][seat] and not after["panels"][seat]:
        events.append(event(after, "wiped", seat))
    if before["chips"] and before["chips"][seat] and not after["chips"][seat]:
        events.append(event(after, "broke", seat))
    if after["faults"][seat] > before["faults"][seat]:
        kind = "invalid_bid" if before["picks"] is None else "invalid_pick"
        events.append(event(after, kind, seat, number=after["faults"][seat], most=FAULTS_MAX))
    return events
