"""Queries for the pages of private tests. A test and its matches are for the owners of its bot alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.access import Reader
from contests.selectors.visibility import seen_by
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import own_condition
from matches.models import Seat, Trial, TrialPair
from matches.selectors.filters import trial_matches

TRIALS_SHOWN = 10
FAULTS_SHOWN = 5

_TESTABLE = (*BotVersion.ON_BOARD, BotVersion.State.RETIRED)


@dataclass(frozen=True, slots=True)
class TrialFaults:
    """How many faults the two versions of a private test had, and the newest of them."""

    candidate: int
    reference: int
    newest: list[Seat]
    """The newest seats of either version that had a fault, newest first, at most ``FAULTS_SHOWN``. Only match, version
    and verdict are loaded."""


def trial_of(*, pk: int, owner: Reader) -> Trial | None:
    """Return a private test if its bot is this user's own (1 query); else None, as if there were none."""
    return trials_of(owner=owner).filter(pk=pk).first()


def trials_of(*, owner: Reader) -> QuerySet[Trial]:
    """Return the private tests of a reader's own bots, in contests that the reader sees, newest first."""
    own = own_condition(reader=owner, prefix="candidate__bot__")
    seen = Trial.objects.filter(own, seen_by(owner, at="candidate__bot__contest"))
    return seen.select_related("candidate__bot__contest", "reference__bot")


def trials_of_bot(*, bot: Bot, owner: Reader) -> list[Trial]:
    """Return the newest ``TRIALS_SHOWN`` private tests of a bot; [] if it is not the reader's own (1 query)."""
    return list(trials_of(owner=owner).filter(candidate__bot=bot)[:TRIALS_SHOWN])


def trial_faults(*, trial: Trial) -> TrialFaults:
    """Return the faults of both versions of a private test (1 query)."""
    faulty = Seat.objects.filter(match__in=trial_matches(trial=trial.pk)).exclude(verdict="")
    seats = list(faulty.only("match", "version", "verdict").order_by("-match", "index"))
    counts = Counter(seat.version_id for seat in seats)
    return TrialFaults(counts[trial.candidate_id], counts[trial.reference_id], seats[:FAULTS_SHOWN])


def versions_testable(*, bot: Bot) -> QuerySet[BotVersion]:
    """Return the versions of a bot that can be tested against each other, newest first."""
    return bot.versions.filter(state__in=_TESTABLE).exclude(artifact_digest="").defer("log").order_by("-number")


def pairs_of(*, trial: int) -> list[tuple[tuple[str, str], tuple[int, ...]]]:
    """Return states and ranks of both matches of each pair of a trial, in their order (1 query).

    Returns:
        For each pair the states of its matches; and the ranks of candidate and reference in the first match, then in
        the second, 0 where there is no rank yet.
    """

    def rank(match: str, index: int) -> Coalesce:
        # A subquery: with a join the database may read all seats there are for a long trial.
        return Coalesce(Subquery(Seat.objects.filter(match=OuterRef(match), index=index).values("rank")), 0)

    ranks = [rank("first", 0), rank("first", 1), rank("second", 1), rank("second", 0)]
    pairs = TrialPair.objects.filter(trial=trial).order_by("number")
    return [(row[:2], row[2:]) for row in pairs.values_list("first__state", "second__state", *ranks)]
