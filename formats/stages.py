"""Checks a tournament's stages, and says who plays in each."""

from __future__ import annotations

from collections.abc import Sequence

from core.message import Message
from formats.model import Stage


def stages_faults(*, stages: Sequence[Stage], sizes: Sequence[int], entrants: int | None = None) -> list[Message]:
    """Return what is wrong with a tournament's stages, one sentence each; empty if it can be played.

    Args:
        stages: the stages.
        sizes: the table sizes that the contest's rules allow (``core.variants.table_sizes``).
        entrants: how many there are; None: not known yet, so nothing that depends on it is checked.
    """
    raise NotImplementedError


def rounds_count(*, stage: Stage, entrants: int) -> int:
    """Return how many rounds a stage will have with so many entrants (double elimination: at most)."""
    raise NotImplementedError
