"""Tables are decided by their matches."""

from __future__ import annotations

from formats.model import Decided, Entrant, Format, Stage, Table
from formats.tables import table_decide


def test_equal_sums_of_thirds_are_equal() -> None:
    """A table of four in which every seat wins once: each entrant has 1, 2/3, 1/3 and 0 points, in another order."""
    stage = Stage(Format.ROUND_ROBIN, table_size=4)
    entrants = [Entrant(number, f"bot {number}") for number in range(1, 5)]
    ranks = [[1 + (place + rotation) % 4 for place in range(4)] for rotation in range(4)]
    decided = table_decide(stage=stage, table=Table(0, 1, 1, (1, 2, 3, 4)), entrants=entrants, encounters=[ranks])
    assert isinstance(decided, Decided)
    assert (decided.points, decided.games) == ((0.5,) * 4, (2.0,) * 4)
