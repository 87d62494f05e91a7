"""How often an ending has somebody look at the queue: always where few matches are in flight, seldom where many are.

One ending of hundreds changes little, and to look each time takes a quarter of what a result does. It is by chance who
looks, so managers need not know of each other. The timetable has somebody look every two seconds in any case.
"""

from __future__ import annotations

import secrets

from common.queries.cached import cached
from matches.selectors.statements import in_flight_count, ladder_in_flight_counts

LOOKS = 16
"""About so many while all that is in flight ends."""


def looks_to_hand_out() -> bool:
    """Say whether to look, after an ending, if there is something to hand out (seldom a query)."""
    _, out = cached(in_flight_count)
    return _one_in(out // LOOKS)


def looks_to_pair(*, game: str) -> bool:
    """Say whether to look, after an ending, if the queue of a game has become short (seldom a query).

    Also where bots are too few for as many matches as workers could play: there each look would find two bots that have
    just become free, and to pair them costs nearly as much as to pair many.
    """
    return _one_in(cached(ladder_in_flight_counts).get(game, 0) // LOOKS)


def _one_in(endings: int) -> bool:
    return endings <= 1 or not secrets.randbelow(endings)
