"""Probation: a version that fails again and again is not paired any more until somebody has looked.

A match against a bot that crashes says nothing about either of them, and its opponents wait for a worker meanwhile.
A fault in a match that the bot won all the same has cost it nothing, and does not count.
Nothing is counted on the side: the last results are read each time, so whoever reports one twice counts once.
"""

from __future__ import annotations

from collections.abc import Sequence

from ladder.models import BotVersion
from ladder.services.bots import bots_lock
from ladder.services.versions import version_transition
from matches.models import Seat
from matches.selectors.matches import WON, seats_rated

MATCHES_JUDGED = 5
"""Of its last rated matches: few, so that a bot that has begun to fail stops soon, and old faults are forgotten."""
FAULTS_MAX = 3
"""One fault is a rare position, two may be bad luck; with three of five it fails more often than it plays."""
SEEDS_MIN = 2
"""One seed is played from all seats (``matches.encounters``): at a table of four, one bad board makes four faults."""

State = BotVersion.State


def probation_judge(*, seats: Sequence[Seat]) -> None:
    """Put on probation who has failed in a match, and in too many of those before; in the transaction of its result.

    Args:
        seats: of a rated match that has just ended. No query unless one of them has failed.
    """
    for version in _locked(_at_fault(seats), State.ACTIVE):
        if _fails_too_often(version):
            version_transition(version=version, to=State.PROBATION)


def probation_review(*, seats: Sequence[Seat]) -> None:
    """Let play again who was put on probation for a match that is taken out, if the others do not suffice.

    In the same transaction.

    Args:
        seats: of a rated match that has just become void: its worker was not to be trusted, or the rules were wrong.
    """
    for version in _locked(_at_fault(seats), State.PROBATION):
        if not _fails_too_often(version):
            version_transition(version=version, to=State.ACTIVE)


def _at_fault(seats: Sequence[Seat]) -> list[int]:
    return [seat.version_id for seat in seats if seat.verdict]


def _locked(pks: list[int], state: BotVersion.State) -> list[BotVersion]:
    """Lock the bots of these versions, and return the versions that are in a state.

    Two matches of the same bots may end at once: before anything is counted, so that the later one sees the fault of
    the earlier.
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
