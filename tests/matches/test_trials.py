"""Private tests of two versions: who may start one, how it goes on, and how it ends."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from accounts.models import Notification, User
from accounts.services.closing import account_close
from common.errors import InputError
from ladder.models import BotVersion
from matches.models import Match, Seat, Trial
from matches.services import trials
from matches.services.ratings import match_log
from matches.services.trials import (
    PAIRS_IN_FLIGHT,
    PAIRS_VOID_MAX,
    trial_start,
    trial_step,
    trial_stop,
    trials_step,
)
from tests.ladder.makers import make_bot, make_user, make_version
from tests.words import english

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return make_user("alice")


@pytest.fixture
def versions(owner: User) -> tuple[BotVersion, BotVersion]:
    """v6, replaced, and v7, which plays."""
    old = make_version(make_bot("Moat", owner), state=BotVersion.State.RETIRED, artifact_digest="1" * 64)
    return old, make_version(old.bot, parent=old, artifact_digest="2" * 64)


@pytest.fixture
def trial(owner: User, versions: tuple[BotVersion, BotVersion]) -> Trial:
    return trial_start(owner=owner, candidate=versions[1], reference=versions[0])


def play(match: Match, best: BotVersion | None) -> None:
    """Finish a match with somebody best; None: a tie."""
    for seat in match.seats.all():
        Seat.objects.filter(pk=seat.pk).update(rank=1 if best is None or seat.version_id == best.pk else 2)
    Match.objects.filter(pk=match.pk).update(state=Match.State.FINISHED, finished_at=timezone.now())


def play_on(trial: Trial, best: BotVersion | None, steps: int) -> Trial:
    """Finish all queued matches with these winners and step the trial, so many times or until it has ended."""
    for _ in range(steps):
        for match in Match.objects.filter(state=Match.State.QUEUED):
            play(match, best)
        trial_step(trial=trial)
        trial.refresh_from_db()
        if trial.state != Trial.State.RUNNING:
            break
    return trial


def test_pairs_have_one_seed_and_both_seatings(trial: Trial) -> None:
    assert trial.pairs.count() == PAIRS_IN_FLIGHT
    for pair in trial.pairs.all():
        assert pair.first.seed == pair.second.seed
        assert pair.first.encounter == pair.second.encounter != ""
        seatings = [list(m.seats.values_list("version", flat=True)) for m in (pair.first, pair.second)]
        assert seatings == [[trial.candidate_id, trial.reference_id], [trial.reference_id, trial.candidate_id]]
    assert trial.pairs.values("first__seed").distinct().count() == PAIRS_IN_FLIGHT


def test_it_ends_with_the_account_of_its_owner(trial: Trial, owner: User) -> None:
    queued = Match.objects.filter(state=Match.State.QUEUED)
    assert queued.count() == 2 * PAIRS_IN_FLIGHT
    account_close(user=owner, actor=owner)
    trials_step()
    trial.refresh_from_db()
    assert (trial.state, english(trial.reason)) == (Trial.State.STOPPED, "The account of its owner is closed.")
    assert set(Match.objects.values_list("state", flat=True)) == {Match.State.VOID}
    assert not Notification.objects.exists(), "a closed account gets no notification"


@pytest.mark.parametrize(
    ("winner", "state", "words"),
    [
        (1, "better", "v2 is better than v1."),
        (0, "worse", "v2 is worse than v1."),
        (None, "no_difference", "no difference between v2 and v1."),
    ],
)
def test_it_ends_with_the_answer_of_which_its_owner_gets_one_notification(
    trial: Trial, owner: User, versions: tuple[BotVersion, BotVersion], winner: int | None, state: str, words: str
) -> None:
    ended = play_on(trial, None if winner is None else versions[winner], steps=100)
    matches = Match.objects.count()
    trial_step(trial=ended)
    trial_stop(trial=ended)
    ended.refresh_from_db()
    assert (ended.state, Match.objects.count()) == (state, matches), "it is stepped no more"
    assert ended.ended_at is not None
    assert ended.result["pairs"] == sum(ended.result["counts"])
    assert not Match.objects.filter(state__in=[Match.State.QUEUED, Match.State.RUNNING]).exists()
    assert set(Match.objects.values_list("kind", flat=True)) == {Match.Kind.TRIAL}
    assert match_log(contest="kakomimasu").matches == {}
    notification = Notification.objects.get()
    assert (notification.reader, notification.url) == (owner, f"/trials/{trial.pk}/")
    assert notification.text.endswith(words)


def test_pairs_are_judged_in_the_order_of_their_beginning(trial: Trial) -> None:
    first, second, _ = trial.pairs.all()
    for match in (second.first, second.second):
        play(match, trial.candidate)
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert trial.result == {}, "the first pair is still being played"
    for match in (first.first, first.second):
        play(match, trial.candidate)
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert trial.result["pairs"] == 2


def test_no_more_matches_than_it_may_have(owner: User, versions: tuple[BotVersion, BotVersion]) -> None:
    trial = trial_start(owner=owner, candidate=versions[1], reference=versions[0], games_max=10)
    ended = play_on(trial, None, steps=20)
    assert (ended.state, ended.result["pairs"]) == (Trial.State.NO_DIFFERENCE, 5)
    assert Match.objects.count() == 10


def test_void_pairs_are_played_again_but_not_for_ever(trial: Trial) -> None:
    for _ in range(PAIRS_VOID_MAX + 1):
        trial.refresh_from_db()
        assert trial.state == Trial.State.RUNNING
        waiting = Match.objects.filter(state=Match.State.QUEUED)
        Match.objects.filter(pk=waiting.latest("pk").pk).update(state=Match.State.VOID)
        trial_step(trial=trial)
    trial.refresh_from_db()
    assert trial.state == Trial.State.STOPPED
    assert "platform" in english(trial.reason)


def test_its_owner_may_stop_it_and_gets_no_notification(trial: Trial) -> None:
    trial_stop(trial=trial)
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert trial.state == Trial.State.STOPPED
    assert set(Match.objects.values_list("state", flat=True)) == {Match.State.VOID}
    assert not Notification.objects.exists()


def test_one_at_a_time(trial: Trial, owner: User) -> None:
    with pytest.raises(InputError, match="running"):
        trial_start(owner=owner, candidate=trial.reference, reference=trial.candidate)
    with pytest.raises(IntegrityError), transaction.atomic():
        Trial.objects.create(
            owner=owner, candidate=trial.reference, reference=trial.candidate, game=trial.game, games_max=2
        )
    trial_stop(trial=trial)
    assert trial_start(owner=owner, candidate=trial.reference, reference=trial.candidate).pk != trial.pk


def test_what_cannot_be_tested_is_refused_in_words(owner: User, versions: tuple[BotVersion, BotVersion]) -> None:
    old, new = versions
    unbuilt = make_version(old.bot, state=BotVersion.State.REJECTED, artifact_digest="")
    twin = make_version(old.bot, state=BotVersion.State.RETIRED, artifact_digest=new.artifact_digest)
    other = make_version(make_bot("Other", make_user("bob")), artifact_digest="3" * 64)
    for reference, words in ((new, "different"), (unbuilt, "built"), (twin, "same program"), (other, "your own")):
        with pytest.raises(InputError, match=words):
            trial_start(owner=owner, candidate=new, reference=reference)
    with pytest.raises(InputError, match="your own"):
        trial_start(owner=make_user("eve"), candidate=new, reference=old)
    assert not Match.objects.exists()


def test_a_game_that_is_not_offered_any_more_is_refused(
    owner: User, versions: tuple[BotVersion, BotVersion], settings: Settings
) -> None:
    settings.GAMES = ["puyo"]
    with pytest.raises(InputError, match="does not play this game"):
        trial_start(owner=owner, candidate=versions[1], reference=versions[0])


def test_all_running_trials_are_stepped(trial: Trial) -> None:
    for match in Match.objects.filter(state=Match.State.QUEUED):
        play(match, trial.candidate)
    trials.trials_step()
    trial.refresh_from_db()
    assert trial.result["pairs"] == PAIRS_IN_FLIGHT
    assert trial.pairs.count() == 2 * PAIRS_IN_FLIGHT


@pytest.mark.parametrize("is_closed", [True, False])
def test_a_trial_ends_at_once_when_its_owner_leaves(
    owner: User, trial: Trial, is_closed: bool, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    other = trial_of_another()
    with django_capture_on_commit_callbacks(execute=True):
        if is_closed:
            account_close(user=owner, actor=owner)
        else:
            owner.is_active = False
            owner.save()
    trial.refresh_from_db()
    other.refresh_from_db()
    assert (trial.state, trial.reason["kind"]) == (Trial.State.STOPPED, "trial-owner-left")
    its_own = Match.objects.filter(seats__version=trial.candidate)
    assert set(its_own.values_list("state", flat=True)) == {Match.State.VOID}
    assert not Notification.objects.filter(reader=owner).exists(), "nobody could read it"
    assert other.state == Trial.State.RUNNING
    assert Match.objects.filter(state=Match.State.QUEUED, seats__version=other.candidate).exists()


def trial_of_another() -> Trial:
    old = make_version(make_bot("Wall", make_user("bob")), state=BotVersion.State.RETIRED, artifact_digest="3" * 64)
    candidate = make_version(old.bot, parent=old, artifact_digest="4" * 64)
    return trial_start(owner=old.bot.owner, candidate=candidate, reference=old)
