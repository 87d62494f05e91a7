"""Reads of the matches in which seats are taken over."""

from __future__ import annotations

from django.utils.translation import gettext as _

from core.replay import decode
from matches.selectors.matches import ReplayUnreadable, replay_read


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
