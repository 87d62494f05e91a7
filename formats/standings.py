"""Standings and places with tie-breaks: pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from formats.model import Decided, Entrant, Place, Stage, Standing, TieBreak


def tie_breaks_of(stage: Stage) -> tuple[TieBreak, ...]:
    """Return what decides between equal points in a stage, in this order."""
    raise NotImplementedError


def standings(
    *, stages: Sequence[Stage], stage: int, entrants: Sequence[Entrant], decided: Sequence[Decided]
) -> list[Standing]:
    """Return the table of a stage, by group and place. Knockouts have one, too: by how far each entrant has come.

    Args:
        stages: the tournament's stages.
        stage: the number of the stage, from 0.
        entrants: all entrants of the tournament.
        decided: decided tables; those of the stage count. Rounds may be incomplete.
    """
    raise NotImplementedError


def places(*, stages: Sequence[Stage], entrants: Sequence[Entrant], decided: Sequence[Decided]) -> list[Place]:
    """Return where each entrant has come in the tournament so far, best first.

    Who reached a later stage is before all who did not.
    """
    raise NotImplementedError
