"""Decides tables by hand."""

from __future__ import annotations

from collections.abc import Sequence

from accounts.models import User


def table_decide_by_hand(*, table: int, points: Sequence[float], reason: str, actor: User | None) -> None:
    """Decide a table of the newest round, or decide it otherwise while the next round is not drawn.

    Its unfinished matches become void and are not played again.

    Args:
        table: primary key of the table.
        points: of each entrant, from 0 to 1, in the order of the table's seats; in knockouts the most points go on, of
            equal ones the better seed number.
        reason: everybody may read it once the results are told; at most 500 characters, not empty.
        actor: an organiser or administrator; None: the command line.

    Raises:
        InputError: its round is closed, the tournament is not being played, the table has one entrant, the points
            cannot be so, or the reason is missing or too long.
    """
    raise NotImplementedError
