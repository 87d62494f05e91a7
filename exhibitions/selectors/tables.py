"""Reads who sits at a table."""

from __future__ import annotations

from typing import NamedTuple

from matches.models import Match


class Sitting(NamedTuple):
    """A seat of a table."""

    seat: int
    name: str
    bot: int | None
    """Primary key of the bot that plays the seat; None: a player does."""


def seats_of(*, match: Match) -> list[Sitting]:
    """Return the seats of a table in their order (2 queries)."""
    bots = match.seats.values_list("index", "version__bot__name", "version__bot")
    players = match.remote_seats.values_list("index", "name")
    sitting = [*(Sitting(*bot) for bot in bots), *(Sitting(*player, None) for player in players)]
    return sorted(sitting, key=lambda each: each.seat)
