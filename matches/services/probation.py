"""Probation: a version with too many faults is not paired until its owner has looked at them.

A match against a bot that crashes says nothing about the strength of either, and takes a worker from other matches.
A fault in a match that the bot won all the same has cost it nothing, and does not count.
Faults are counted anew from the last results each time, so a result that is reported twice counts once.
"""

from __future__ import annotations

from collections.abc import Sequence

from ladder.models import BotVersion
from ladder.services.bots import bots_lock
from ladder.services.versions import version_transition
from matches.models import Seat
from matches.selectors.matches import WON, seats_rated

MATCHES_JUDGED = 5
"""How many of a version's last rated matches are looked at: few, so that a bot that has begun to fail stops soon, and
old faults are forgotten."""
FAULTS_MAX = 3
"""Number of faults in these matches that puts a version on probation. One may be a rare position and two bad luck; with
three of five it fails more often than it plays."""
SEEDS_MIN = 2
"""Least number of seeds that the faults come from. One seed is played from all seats (``matches.encounters``): in a
game of four players, one bad board makes four faults."""

State = BotVersion.State


def probation_judge(*, seats: Sequence[Seat]) -> None:
    """Put versions on probation that failed in a match and in too many before; in the transaction of its result.

    The seats are those of a rated match. No query unless one of them has failed.
    """
    for version in _locked(_at_fault(seats), State.ACTIVE):
        if _fails_too_often(version):
            version_transition(version=version, to=State.PROBATION)


def probation_review(*, seats: Sequence[Seat]) -> None:
    """End the probation of versions that without the faults of these seats would not be on probation.

    Call it in the transaction that makes the rated matches of the seats void.
    """
    for version in _locked(_at_fault(seats), State.PROBATION):
        if not _fails_too_often(version):
            version_transition(version=version, to=State.ACTIVE)


def _at_fault(seats: Sequence[Seat]) -> list[int]:
    return [seat.version_id for seat in seats if seat.verdict]


def _locked(pks: list[int], state: BotVersion.State) -> list[BotVersion]:
    """Lock the bots of these versions, and return those versions that are in a state.

    Two matches of the same bots may end at once. The lock is taken before faults are counted, so that the later
    transaction sees the fault of the earlier.
    """
    if not pks:
        return []
    bots_lock(pks=BotVersion.objects.filter(pk__in=pks).values("bot"))
    return list(BotVersion.objects.filter(pk__in=pks, state=state).select_related("bot").defer("log").order_by("pk"))


def _fails_too_often(version: BotVersion) -> bool:
    rated = seats_rated(version=version).annotate(won=WON).order_by("-match")
    last = rated.values_list("verdict", "won", "match__encounter", "match__finished_at")[:MATCHES_JUDGED]
    since = version.looked_at
    seeds = [seed for verdict, won, seed, at in last if verdict and not won and not (since and at and at <= since)]
    return len(seeds) >= FAULTS_MAX and len(set(seeds)) >= SEEDS_MIN
