"""How often the end of a match triggers a check of the queue: always when few matches are in flight, seldom when many.

One end among hundreds changes little, and a check costs a quarter of what a result does. Chance decides which end
triggers one, so managers need not coordinate. The timetable checks the queue every two seconds in any case.
"""

from __future__ import annotations

import secrets

from common.queries.cached import cached
from matches.selectors.statements import in_flight_count, ladder_in_flight_counts

CHECKS = 16
"""About how many checks happen while all matches that are in flight now come to their ends."""


def dispatch_check_due() -> bool:
    """Say whether to check, now that a match has ended, if jobs can be handed out (seldom a query)."""
    _, out = cached(in_flight_count)
    return _chance_of_one_in(out // CHECKS)


def pairing_check_due(*, contest: str) -> bool:
    """Say whether to check, now that a match has ended, if the queue of a contest is too short (seldom a query).

    Seldom also in a contest with fewer bots than workers could use: each check would find only the two bots that have
    just become free, and pairing two costs nearly as much as pairing many.
    """
    return _chance_of_one_in(cached(ladder_in_flight_counts).get(contest, 0) // CHECKS)


def _chance_of_one_in(ends: int) -> bool:
    return ends <= 1 or not secrets.randbelow(ends)
