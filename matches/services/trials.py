"""Private tests: is one version of a bot better than another? Pairs of unrated matches until a sequential test ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import takewhile
from typing import Any, NamedTuple

import structlog
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError
from contests.models import Contest
from contests.selectors.contests import DUEL_SEATS, contest_state, duel_problem, entry_check
from core.message import Message, stored
from games.registry import game_names
from ladder.models import BotVersion
from ladder.selectors.bots import bot_is_own
from ladder.services.notifications import notification_create
from matches.encounters import encounter_matches
from matches.models import Match, Trial, TrialPair
from matches.news import TRIAL_ENDED
from matches.selectors.trials import pairs_of
from matches.services.lifecycle import match_void, matches_create
from rating.paired import GAMES_MAX, PairedVerdict, State, pair_score, verdict

log = structlog.get_logger(__name__)

PAIRS_IN_FLIGHT = 3
"""Most pairs of a test that wait or run at once. More would be played in vain when it ends, and crowd the queue."""
PAIRS_VOID_MAX = 10
"""A trial is stopped when more pairs than this have become void by faults of the platform."""


@transaction.atomic
def trial_start(*, owner: User, candidate: BotVersion, reference: BotVersion, games_max: int = GAMES_MAX) -> Trial:
    """Begin a test of whether one version is better than another, and queue its first pairs.

    ``games_max`` is the most matches that it may take.

    Raises:
        InputError: the versions cannot be tested against each other, the owner has a test running, or he may not see
            their contest.
    """
    # The lock makes the second of two clicks at once see the trial of the first. With no_key, since a transaction that
    # holds a version's lock may insert a notification for the owner, and would deadlock with a full lock.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    entry_check(contest=candidate.bot.contest_id, reader=owner)
    if problem := trial_problem(owner=owner, candidate=candidate, reference=reference):
        raise InputError(problem)
    trial = Trial.objects.create(
        owner=owner, candidate=candidate, reference=reference, game=candidate.bot.game, games_max=games_max
    )
    trial_step(trial=trial)
    return trial


def trial_problem(*, owner: User, candidate: BotVersion, reference: BotVersion) -> str:
    """Say why two versions cannot be tested, in whole sentences; empty if they can (3 queries at most)."""
    if candidate.bot_id != reference.bot_id or not bot_is_own(bot=candidate.bot, reader=owner):
        return _("Choose two versions of one of your own bots.")
    if candidate.pk == reference.pk:
        return _("Choose two different versions: a version is never better than itself.")
    if not (candidate.artifact_digest and reference.artifact_digest):
        return _("Both versions must have been built; choose one that is active or was replaced.")
    if candidate.artifact_digest == reference.artifact_digest:
        return _("Both versions are the same program, so there is nothing to find out.")
    if problem := duel_problem(contest=candidate.bot.contest):
        return problem
    if owner.trials.filter(state=Trial.State.RUNNING).exists():
        return _("You have a test running; wait until it has ended, or stop it.")
    return ""


@transaction.atomic
def trial_step(*, trial: Trial) -> None:
    """Judge the pairs played so far, then queue more pairs or end the trial; without effect on an ended trial.

    While its contest is paused, or its game is not installed, the trial waits; in a frozen contest it ends
    once its last pair has been played. When its owner's account is closed it ends at once, since nobody could see
    its matches.
    """
    locked = Trial.objects.select_for_update(of=("self",), no_key=True)
    trial = locked.select_related("candidate__bot__contest", "reference", "owner").get(pk=trial.pk)
    if trial.state != Trial.State.RUNNING:
        return
    if not trial.owner.is_active:
        _end(trial, Trial.State.STOPPED, Message("trial-owner-left"))
        return
    pairs = [_Pair(*states, ranks[:2], ranks[2:]) for states, ranks in pairs_of(trial=trial.pk)]
    said = verdict(_scores(pairs), games_max=trial.games_max)
    if said.pairs:
        trial.result = asdict(said)
    if said.state != State.RUNNING:
        _end(trial, Trial.State(said.state))
    elif sum(pair.is_void for pair in pairs) > PAIRS_VOID_MAX:
        _end(trial, Trial.State.STOPPED, Message("trial-platform-failed"))
    elif (state := contest_state(contest=trial.candidate.bot.contest_id)) != Contest.State.OPEN:
        if state in (Contest.State.FROZEN, Contest.State.ARCHIVED) and not any(pair.is_in_flight for pair in pairs):
            _end(trial, Trial.State.STOPPED, Message("trial-game-frozen"))
        trial.save()
    else:
        trial.save()
        if trial.game in game_names():
            _fill(trial, pairs, said)
    if trial.state != Trial.State.RUNNING:
        notification_create(
            kind=TRIAL_ENDED,
            bot=trial.candidate.bot,
            occasion=f"trial {trial.pk}",
            trial=trial.pk,
            number=trial.candidate.number,
            reference=trial.reference.number,
            outcome=trial.state,
        )


@transaction.atomic
def trial_stop(*, trial: Trial) -> None:
    """End a trial without an answer because its owner asked for that; without effect on an ended trial."""
    trial = Trial.objects.select_for_update(no_key=True).get(pk=trial.pk)
    if trial.state == Trial.State.RUNNING:
        _end(trial, Trial.State.STOPPED, Message("trial-stopped"))


def trials_stop(*, user: User, **_signal: Any) -> None:
    """End the running trial of a user whose account is closed or was disabled; a receiver of ``account_disabled``."""
    for trial in user.trials.filter(state=Trial.State.RUNNING):
        trial_step(trial=trial)


def trials_step() -> None:
    """Call ``trial_step`` for every running trial."""
    for trial in Trial.objects.filter(state=Trial.State.RUNNING):
        trial_step(trial=trial)


class _Pair(NamedTuple):
    """How far the two matches of a pair are (``matches.selectors.trials.pairs_of``)."""

    first_state: str
    second_state: str
    first_ranks: Sequence[int]
    """Ranks of the candidate and of the reference in the first match, in this order; 0 until it is finished."""
    second_ranks: Sequence[int]
    """Ranks of the candidate and of the reference in the second match; 0 until it is finished."""

    @property
    def is_void(self) -> bool:
        return Match.State.VOID in (self.first_state, self.second_state)

    @property
    def is_played(self) -> bool:
        return self.first_state == self.second_state == Match.State.FINISHED

    @property
    def is_in_flight(self) -> bool:
        return not self.is_void and not self.is_played


def _scores(pairs: list[_Pair]) -> list[float]:
    """Return the scores of all pairs before the first unfinished one, without void pairs.

    Pairs count in the order in which they were queued: quick pairs may tend to other results than long ones, and
    judging them first would bias the test.
    """
    usable = (pair for pair in pairs if not pair.is_void)
    played = takewhile(lambda pair: pair.is_played, usable)
    return [pair_score(pair.first_ranks, pair.second_ranks) for pair in played]


def _fill(trial: Trial, pairs: list[_Pair], said: PairedVerdict) -> None:
    """Queue pairs until ``PAIRS_IN_FLIGHT`` are in flight, but no more than the test can still use."""
    in_flight = sum(pair.is_in_flight for pair in pairs)
    usable = sum(not pair.is_void for pair in pairs)
    missing = min(PAIRS_IN_FLIGHT - in_flight, trial.games_max // DUEL_SEATS - usable)
    for number in range(len(pairs), len(pairs) + missing):
        # Both matches of a pair have one secret seed, and the seats are swapped.
        versions = (trial.candidate_id, trial.reference_id)
        tables = encounter_matches(trial.candidate.bot.contest, versions, kind=Match.Kind.TRIAL)
        first, second = matches_create(tables=list(tables))
        TrialPair.objects.create(trial=trial, number=number, first=first, second=second)
    log.info("trial_stepped", trial=trial.pk, pairs=said.pairs, queued=max(missing, 0))


def _end(trial: Trial, state: Trial.State, reason: Message | None = None) -> None:
    """End a trial, and make its matches void that still wait or run: nobody needs them any more."""
    trial.state, trial.reason, trial.ended_at = state, stored(reason), timezone.now()
    trial.save()
    its_own = Q(pk__in=trial.pairs.values("first")) | Q(pk__in=trial.pairs.values("second"))
    in_flight = Match.objects.filter(its_own, state__in=(Match.State.QUEUED, Match.State.RUNNING))
    # The lock reads their states anew: a match that has just got its result keeps it.
    for match in in_flight.select_for_update(no_key=True).order_by("pk"):
        match_void(match=match, reason=Message("match-trial-ended"))
    log.info("trial_ended", trial=trial.pk, state=state)
