"""Opens tables of one player against bots, new ones and those that go on from a turn of another; fills their seats."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from common.errors import InputError
from contests.selectors.contests import entry_check
from exhibitions.selectors.opponents import opponent_of, opponents_beside
from exhibitions.selectors.tables import seats_of
from exhibitions.services.opening import Opened, Player, table_open
from ladder.models import BotVersion
from matches.models import RemoteSeat


def table_against(*, version: BotVersion, player: Player, size: int, seat: int | None) -> Opened:
    """Open a table of a player against a bot, and at larger tables against others that are about as strong.

    Args:
        version: the version of the bot, with its bot and contest; the rules are those of this contest.
        player: who plays.
        size: the number of seats.
        seat: the player's seat; None: one that is drawn.

    Raises:
        InputError: there is no such seat, there are too few bots, or ``table_open`` refuses the table.
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


def table_take_over(*, seat: RemoteSeat, taken: int, turn: int, player: Player) -> Opened:
    """Open a table at which the player of a finished table plays on from one of its turns, perhaps on another seat.

    The bot of the taken seat gets the player's seat. Bots play with the versions that they have now.

    Args:
        seat: the player's seat at the finished table, with its match.
        taken: index of the seat that the player takes, which may be the own one.
        turn: the first turn that is played anew, from 1.
        player: the player.

    Raises:
        InputError: there is no such seat or turn, another player's seat would be empty, a bot plays no more, or
            ``table_open`` refuses the table.
        StoreAway: the replay of the finished table cannot be read now.
    """
    contest = seat.match.contest
    entry_check(contest=contest.pk, reader=player.user or AnonymousUser())  # before a refusal names a bot
    sitting = seats_of(match=seat.match)
    if taken not in {each.seat for each in sitting}:
        raise InputError(_("Please choose a turn and a seat of this match."))
    seats: dict[int, BotVersion | Player] = {}
    for index, name, bot in sitting:
        if index == seat.index:
            continue
        version = opponent_of(contest=contest, bot=bot) if bot is not None else None
        if version is None:
            raise InputError(
                _("%(name)s does not play just now, so nobody can take over a seat of this match.") % {"name": name}
            )
        seats[seat.index if index == taken else index] = version
    seats[taken] = player
    return table_open(contest=contest, seats=seats, taken_over=(seat.match, turn))
