"""Enters bots into tournaments, and lets them leave."""

from __future__ import annotations

from accounts.models import User
from tournaments.models import Entrant


def entrant_enter(*, tournament: int, bot: int, actor: User | None) -> Entrant:
    """Enter a bot with an active version into an open tournament.

    Args:
        tournament: primary key of the tournament.
        bot: primary key of the bot.
        actor: an owner of the bot, if owners enter their bots; or an organiser or administrator; None: the command
            line.

    Raises:
        InputError: the tournament takes no entries (any more), the bot is of another contest, has no active version, is
            entered already, or the actor may not enter it.
    """
    raise NotImplementedError


def entrant_remove(*, entrant: int, actor: User | None) -> None:
    """Take an entry back before the draw.

    Args:
        entrant: primary key of the entrant.
        actor: an owner of the bot, or an organiser or administrator. None: the command line.

    Raises:
        InputError: the tournament has been drawn, or the actor may not do it.
    """
    raise NotImplementedError


def entrant_leave(*, entrant: int, left: Entrant.Left, reason: str, actor: User | None) -> None:
    """Withdraw or disqualify an entrant after the draw: it loses what it has not played.

    Its results stay; open tables of it are decided for the others, and their unfinished matches become void.

    Args:
        entrant: primary key of the entrant.
        left: withdrawn (by an owner of the bot or an organiser) or disqualified (by an organiser).
        reason: everybody may read it; an organiser must give one. At most 500 characters.
        actor: an owner of the bot, or an organiser or administrator. None: the command line.

    Raises:
        InputError: the tournament is not drawn or over, the entrant has left already, a reason is missing, or the actor
            may not do it.
    """
    raise NotImplementedError
