"""Makes the next round of a tournament from entrants and results: one pure function."""

from __future__ import annotations

from collections.abc import Sequence

from formats.model import Decided, Draw, Entrant, Stage


def next_round(
    *, stages: Sequence[Stage], entrants: Sequence[Entrant], decided: Sequence[Decided], lots: int
) -> Draw | None:
    """Return the next round, or None when the last stage has been played.

    Equal arguments give equal rounds, on any machine.

    Args:
        stages: the tournament's stages, without faults (``stages.stages_faults``).
        entrants: all, with seed numbers 1 .. n.
        decided: all tables of all rounds so far; every table of the last round is among them.
        lots: a secret number that decides by lot where the format leaves something open (the first seats).
    """
    raise NotImplementedError
