"""Reads of the matches in which seats are taken over."""

from __future__ import annotations

from django.utils.translation import gettext as _

from common.errors import InputError
from games.registry import game_named
from matches.selectors.matches import ReplayUnreadable, replay_records


def answers_taken(*, game: str, rules_version: str, digest: str, turns: int, turn: int) -> list[dict[int, list[str]]]:
    """Return the answers by seat of a match's turns before the one, from 1, from which somebody wants to play on.

    Args:
        game: name of its game.
        rules_version: version of the rules by which it was played.
        digest: SHA-256 of its replay.
        turns: how many turns it has.
        turn: the first turn that is played anew.

    Raises:
        InputError: the rules have changed since, there is no such turn, or the replay is not stored here any more.
        StoreAway: the store of replays cannot be reached now.
    """
    if rules_version != game_named(game).rules_version:
        raise InputError(_("The rules of the game have changed since this match. Please choose a newer one."))
    if not 1 <= turn <= turns:
        raise InputError(_("This match has %(turns)d turns. Please choose one of them.") % {"turns": turns})
    try:
        earlier = replay_records(digest=digest)[1:turn]  # the first record is the header
    except ReplayUnreadable as error:
        raise InputError(str(error)) from error
    # The attack: a worker that was taken over has stored a replay without the turns that it reported.
    if not all("seats" in record for record in earlier) or len(earlier) < turn - 1:
        raise InputError(_("Nobody can take over a seat of this match. Please choose a finished match with a replay."))
    return [{seat: answered["answer"] for seat, answered in enumerate(each["seats"]) if answered} for each in earlier]
