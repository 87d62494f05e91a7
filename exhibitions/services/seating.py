"""Opens tables of one player against bots: chooses seats, and the bots beside the one that the player wants."""

from __future__ import annotations

import secrets

from django.utils.translation import gettext as _

from common.errors import InputError
from exhibitions.selectors.opponents import opponents_beside
from exhibitions.services.opening import Opened, Player, table_open
from ladder.models import BotVersion


def table_against(*, version: BotVersion, player: Player, size: int, seat: int | None) -> Opened:
    """Open a table of a player against a bot, and at larger tables against others that are about as strong.

    Args:
        version: of the bot, by the rules of whose contest is played; with its bot and contest.
        player: who plays.
        size: the number of seats.
        seat: the player's seat; None: one that is drawn.

    Raises:
        InputError: there is no such seat, there are too few bots, or see ``table_open``.
    """
    contest = version.bot.contest
    own = secrets.randbelow(size) if seat is None else seat
    if own >= size:
        raise InputError(_("With so few players there is no such seat. Please choose another one."))
    bots = [version, *opponents_beside(contest=contest, version=version, count=size - 2)]
    others = [index for index in range(size) if index != own]
    if len(bots) < len(others):
        raise InputError(_("This contest has too few bots for a table of this size. Please choose fewer players."))
    seats: dict[int, BotVersion | Player] = dict(zip(others, bots, strict=True))
    seats[own] = player
    return table_open(contest=contest, seats=seats)
