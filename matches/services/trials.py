"""Private tests: is one version of a bot better than another? Pairs of unrated matches until a sequential test ends."""

from __future__ import annotations

from dataclasses import asdict

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

import core
from ladder.errors import InputError
from ladder.models import BotVersion, GameSetting, Notification, User
from ladder.rating.paired import GAMES_MAX, State, Verdict, pair_score, verdict
from ladder.selectors.games import game_state, play_problem
from ladder.services.notifications import notification_create
from matches.encounters import encounter_new
from matches.models import Match, Seat, Trial, TrialPair
from matches.services.lifecycle import match_create, match_void

log = structlog.get_logger(__name__)

PAIRS_IN_FLIGHT = 3
"""More would be played in vain when the test ends, and crowd the queue."""
PAIRS_VOID_MAX = 10
"""So many pairs that our platform could not play end a trial."""
SEATS = 2
"""Also where more may play: two versions of one bot meet alone."""


@transaction.atomic
def trial_start(*, owner: User, candidate: BotVersion, reference: BotVersion, games_max: int = GAMES_MAX) -> Trial:
    """Begin a test of whether one version is better than another, and queue its first pairs.

    Raises:
        InputError: the versions cannot be tested against each other, or the owner has a test running.
    """
    # Two clicks at once are one after the other. Not the key: whoever notifies the owner while a version is locked
    # needs it.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if problem := trial_problem(owner=owner, candidate=candidate, reference=reference):
        raise InputError(problem)
    trial = Trial.objects.create(
        owner=owner, candidate=candidate, reference=reference, game=candidate.bot.game, games_max=games_max
    )
    trial_step(trial=trial)
    return trial


def trial_problem(*, owner: User, candidate: BotVersion, reference: BotVersion) -> str:
    """Say why two versions cannot be tested, in whole sentences; empty if they can (2 queries)."""
    if candidate.bot_id != reference.bot_id or candidate.bot.owner_id != owner.pk:
        return _("Choose two versions of one of your own bots.")
    if candidate.pk == reference.pk:
        return _("Choose two different versions: a version is never better than itself.")
    if not (candidate.artifact_digest and reference.artifact_digest):
        return _("Both versions must have been built; choose one that is active or was replaced.")
    if candidate.artifact_digest == reference.artifact_digest:
        return _("Both versions are the same program, so there is nothing to find out.")
    if candidate.bot.game not in settings.GAMES or SEATS not in core.game(candidate.bot.game).players:
        return _("This arena does not play this game with two players, so the versions cannot meet.")
    if problem := play_problem(game_state(game=candidate.bot.game)):
        return problem
    if owner.trials.filter(state=Trial.State.RUNNING).exists():
        return _("You have a test running; wait until it has ended, or stop it.")
    return ""


@transaction.atomic
def trial_step(*, trial: Trial) -> None:
    """Judge what has been played, and queue more pairs or end the trial. Without effect when it has ended.

    While its game is paused it waits; in a frozen game it ends once its last pair has been played.
    """
    trial = Trial.objects.select_for_update().select_related("candidate", "reference").get(pk=trial.pk)
    if trial.state != Trial.State.RUNNING:
        return
    pairs = list(trial.pairs.select_related("first", "second"))
    said = verdict(_scores(trial, pairs), games_max=trial.games_max)
    if said.pairs:
        trial.result = asdict(said)
    if said.state != State.RUNNING:
        _end(trial, Trial.State(said.state))
    elif sum(_is_void(pair) for pair in pairs) > PAIRS_VOID_MAX:
        _end(
            trial,
            Trial.State.STOPPED,
            gettext_noop("Our platform failed to play too many matches; please start it again later."),
        )
    elif problem := play_problem(state := game_state(game=trial.game)):
        under_way = any(not _is_void(pair) and not _is_played(pair) for pair in pairs)
        if state == GameSetting.State.FROZEN and not under_way:
            _end(trial, Trial.State.STOPPED, problem)
        trial.save()
    else:
        trial.save()
        _fill(trial, pairs, said)
    if trial.state != Trial.State.RUNNING:
        _tell(trial)


@transaction.atomic
def trial_stop(*, trial: Trial) -> None:
    """End a trial without an answer, as its owner wishes. Without effect when it has ended."""
    trial = Trial.objects.select_for_update().get(pk=trial.pk)
    if trial.state == Trial.State.RUNNING:
        _end(trial, Trial.State.STOPPED, gettext_noop("You stopped it."))


def trials_step() -> None:
    """Step every running trial."""
    for trial in Trial.objects.filter(state=Trial.State.RUNNING):
        trial_step(trial=trial)


def _scores(trial: Trial, pairs: list[TrialPair]) -> list[float]:
    """Return the scores of the pairs up to the first that is not finished, without those that are void.

    In the order of their beginning: pairs that end quickly may end differently, and must not be judged first.
    """
    ranks = _candidate_ranks(trial)
    scores = []
    for pair in pairs:
        if _is_void(pair):
            continue
        if not (pair.first_id in ranks and pair.second_id in ranks):
            break
        scores.append(pair_score(ranks[pair.first_id], ranks[pair.second_id]))
    return scores


def _candidate_ranks(trial: Trial) -> dict[int, tuple[int, int]]:
    """Return the ranks (of the candidate, of the other) in each finished match of a trial (1 query)."""
    played = Match.objects.filter(state=Match.State.FINISHED)
    pairs = trial.pairs.values_list("first", "second")
    wanted = [match for pair in pairs for match in pair]
    ranks: dict[int, dict[bool, int]] = {}
    for match, version, rank in Seat.objects.filter(match__in=played.filter(pk__in=wanted)).values_list(
        "match", "version", "rank"
    ):
        ranks.setdefault(match, {})[version == trial.candidate_id] = rank or 0
    return {match: (by_side[True], by_side[False]) for match, by_side in ranks.items()}


def _is_void(pair: TrialPair) -> bool:
    return Match.State.VOID in (pair.first.state, pair.second.state)


def _is_played(pair: TrialPair) -> bool:
    return pair.first.state == pair.second.state == Match.State.FINISHED


def _fill(trial: Trial, pairs: list[TrialPair], said: Verdict) -> None:
    """Queue pairs until so many are in flight as may be, and no more than the test can still use."""
    in_flight = sum(not _is_void(pair) and not _is_played(pair) for pair in pairs)
    usable = sum(not _is_void(pair) for pair in pairs)
    missing = min(PAIRS_IN_FLIGHT - in_flight, trial.games_max // SEATS - usable)
    for number in range(len(pairs), len(pairs) + missing):
        first, second = _matches_create(trial)
        TrialPair.objects.create(trial=trial, number=number, first=first, second=second)
    log.info("trial_stepped", trial=trial.pk, pairs=said.pairs, queued=max(missing, 0))


def _matches_create(trial: Trial) -> list[Match]:
    """Make both matches of a pair: one secret seed, seats swapped."""
    rules = core.game(trial.game)
    encounter, seed = encounter_new()
    versions = (trial.candidate_id, trial.reference_id)
    return [
        match_create(
            game=rules.name,
            rules_version=rules.rules_version,
            options=next(iter(rules.rulesets.values())),
            seed=seed,
            versions=seating,
            encounter=encounter,
            kind=Match.Kind.TRIAL,
        )
        for seating in (versions, versions[::-1])
    ]


def _end(trial: Trial, state: Trial.State, reason: str = "") -> None:
    """End a trial and take what is still in the queue out: nobody needs it any more."""
    trial.state, trial.reason, trial.ended_at = state, reason, timezone.now()
    trial.save()
    for pair in trial.pairs.select_related("first", "second"):
        for match in (pair.first, pair.second):
            if match.state in (Match.State.QUEUED, Match.State.RUNNING):
                match_void(match=match, reason=gettext_noop("The private test it was played for has ended."))
    log.info("trial_ended", trial=trial.pk, state=state)


def _tell(trial: Trial) -> None:
    notification_create(
        kind=Notification.Kind.TRIAL_ENDED,
        bot=trial.candidate.bot,
        occasion=f"trial {trial.pk}",
        trial=trial.pk,
        number=trial.candidate.number,
        reference=trial.reference.number,
        outcome=trial.state,
    )
