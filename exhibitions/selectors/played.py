"""Reads of the matches in which seats are taken over."""

from __future__ import annotations

from django.utils.translation import gettext as _

from common.errors import InputError
from core.replay import decode
from games.registry import game_named
from matches.selectors.matches import ReplayUnreadable, replay_read


def answers_taken(*, game: str, rules_version: str, digest: str, turns: int, turn: int) -> list[dict[int, list[str]]]:
    """Return ``answers_before`` of a match that somebody wants to play on from a turn.

    Args:
        game: name of its game.
        rules_version: by which it was played.
        digest: SHA-256 of its replay.
        turns: how many it has.
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
        return answers_before(digest=digest, turn=turn)
    except ReplayUnreadable as error:
        raise InputError(str(error)) from error


def answers_before(*, digest: str, turn: int) -> list[dict[int, list[str]]]:
    """Return the answers by seat of a match's turns before ``turn``, which counts from 1.

    Args:
        digest: SHA-256 of its replay.
        turn: the first turn that is played anew.

    Raises:
        ReplayUnreadable: its replay is not stored here any more, or damaged; the text is a sentence for people.
        StoreAway: the store of replays cannot be reached now.
    """
    records = decode(replay_read(digest=digest))
    turns = records[1:turn]  # the first record is the header
    # The attack: a worker that was taken over has stored a replay without the turns that it reported.
    if not all("seats" in record for record in turns) or len(turns) < turn - 1:
        raise ReplayUnreadable(
            _("Nobody can take over a seat of this match. Please choose a finished match with a replay.")
        )
    return [{seat: answered["answer"] for seat, answered in enumerate(record["seats"]) if answered} for record in turns]
