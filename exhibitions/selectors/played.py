"""Reads of the matches in which seats are taken over."""

from __future__ import annotations

from core.replay import decode
from exhibitions.models import Exhibition
from matches.selectors.matches import ReplayUnreadable, replay_read


def answers_before(*, exhibition: Exhibition) -> list[dict[int, list[str]]]:
    """Return the answers by seat of the turns of its original before the one from which on it is played anew.

    [] if it begins at the first turn, and if the original's replay has been deleted meanwhile.
    """
    if exhibition.original is None or exhibition.original_turn < 2:
        return []
    try:
        records = decode(replay_read(digest=exhibition.original.result.replay_digest))
    except ReplayUnreadable:
        return []
    turns = records[1 : exhibition.original_turn]  # the first record is the header
    return [{seat: answered["answer"] for seat, answered in enumerate(record["seats"]) if answered} for record in turns]
