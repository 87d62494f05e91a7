"""The tables of matches, their seats, attempts and results, of tallies, and of private tests."""

from __future__ import annotations

from matches.models.attempts import Attempt, Result
from matches.models.boards import BoardLock, HeadToHead
from matches.models.matches import TALLY_WRONG, Match, RemoteSeat, Seat, told_to
from matches.models.trials import Trial, TrialPair

__all__ = [
    "TALLY_WRONG",
    "Attempt",
    "BoardLock",
    "HeadToHead",
    "Match",
    "RemoteSeat",
    "Result",
    "Seat",
    "Trial",
    "TrialPair",
    "told_to",
]
