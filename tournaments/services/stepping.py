"""Plays tournaments on: collects results, decides tables, makes matches, draws the next round."""

from __future__ import annotations


def tournament_step(*, tournament: int) -> bool:
    """Take a running tournament as far as the results of its matches allow; without effect on others.

    All is done in one transaction under the lock of its row, and depends on nothing but the rows. So it may be called
    at any time, by several processes at once, and be killed anywhere: nothing is skipped or done twice.

    Args:
        tournament: its primary key.

    Returns:
        Whether anything was written; False also if another process holds its lock.
    """
    raise NotImplementedError


def tournaments_tick() -> None:
    """Start the tournaments whose moments have come, by the clock of the database, and step all that run.

    Each tournament has a transaction of its own.
    """
    raise NotImplementedError
