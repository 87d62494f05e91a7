"""Which core a playing process keeps to."""

from __future__ import annotations

from collections.abc import Set


def own_core(index: int, processes: int | None, cores: Set[int]) -> set[int]:
    """Return the one core of a playing process; empty if there are fewer cores than processes.

    Args:
        index: of the process, from 0. One that takes another's place has its index.
        processes: how many play; None: as many as there are cores.
        cores: which this worker may use.
    """
    if (processes or len(cores)) > len(cores) or index >= len(cores):
        return set()
    return {sorted(cores)[index]}
