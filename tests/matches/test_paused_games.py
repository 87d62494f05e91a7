"""A game that is not open gets no new matches of any kind; matches that run end as always."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from common.errors import InputError
from contests.models import Contest
from contests.services.contests import contest_deadline_set, contest_limits_set, contest_transition
from matches.models import Match, Trial
from matches.selectors.first_games import first_games
from matches.services.match_jobs import MATCHES
from matches.services.pairing import matches_pair
from matches.services.reruns import match_rerun
from matches.services.trials import trial_start, trial_step, trial_stop
from tests.ladder.makers import make_bot, make_user
from tests.ladder.makers import make_version as make_version_of
from tests.matches.makers import finish_match, make_match, make_version
from tests.words import english

pytestmark = pytest.mark.django_db

GAME = "kakomimasu"
State = Contest.State
CLOSED = [State.PAUSED, State.FROZEN]


def test_pairing_goes_on_behind_the_deadline() -> None:
    make_version("a", artifact_digest="1" * 64)
    make_version("b", artifact_digest="2" * 64)
    contest_deadline_set(contest=GAME, until=timezone.now(), actor=None)
    assert matches_pair(contest=GAME) > 0


@pytest.fixture
def trial() -> Trial:
    alice = make_user("alice")
    old = make_version_of(make_bot("Moat", alice), state="retired", artifact_digest="1" * 64)
    new = make_version_of(old.bot, artifact_digest="2" * 64)
    return trial_start(owner=alice, candidate=new, reference=old)


@pytest.mark.parametrize("state", CLOSED)
def test_no_match_of_any_kind_is_made_or_promised(client: Client, trial: Trial, state: State) -> None:
    trial_stop(trial=trial)
    newcomer = make_version("a", artifact_digest="3" * 64)
    ended = finish_match(make_match(newcomer, make_version("b", artifact_digest="4" * 64)))
    made = Match.objects.count()
    contest_transition(contest=GAME, to=state, actor=None)
    if state == State.FROZEN:
        in_finals = first_games(version=newcomer)
        assert in_finals
        assert in_finals.seconds is not None, "its final matches are still to be played"
        Contest.objects.filter(pk=GAME).update(final_stage=Contest.FinalStage.SIGNED)
        newcomer.bot.refresh_from_db()
    refusal = "is over" if state == "frozen" else f"This contest is {state}"
    with pytest.raises(InputError, match=refusal):
        trial_start(owner=trial.owner, candidate=trial.candidate, reference=trial.reference)
    with pytest.raises(InputError, match=refusal):
        match_rerun(match=ended)
    assert matches_pair(contest=GAME) == 0
    assert Match.objects.count() == made
    progress = first_games(version=newcomer)
    assert progress is not None
    assert progress.seconds is None
    assert refusal in progress.problem
    assert refusal in client.get(reverse("matches:first_games", args=[newcomer.pk])).text
    contest_transition(contest=GAME, to=State.OPEN, actor=None)
    assert matches_pair(contest=GAME) > 0


def test_a_private_test_waits_while_its_game_is_paused(trial: Trial) -> None:
    pairs = trial.pairs.count()
    contest_transition(contest=GAME, to=State.PAUSED, actor=None)
    _play_all()
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert (trial.state, trial.pairs.count()) == (Trial.State.RUNNING, pairs)
    contest_transition(contest=GAME, to=State.OPEN, actor=None)
    trial_step(trial=trial)
    assert trial.pairs.count() > pairs


def test_a_private_test_ends_in_a_frozen_game_once_its_last_pair_is_played(trial: Trial) -> None:
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert trial.state == Trial.State.RUNNING
    assert not Match.objects.filter(state=Match.State.VOID).exists()
    _play_all()
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert trial.state == Trial.State.STOPPED
    assert "frozen" in english(trial.reason)


def _play_all() -> None:
    for match in Match.objects.filter(state=Match.State.QUEUED):
        match.seats.filter(index=0).update(rank=1)
        match.seats.filter(index=1).update(rank=1)
    Match.objects.filter(state=Match.State.QUEUED).update(state=Match.State.FINISHED)


def test_a_job_carries_the_limits_of_its_moment(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    sent = []
    monkeypatch.setattr("jobs.sending.send", lambda app, task, job, **_: sent.append(job))
    first, second = make_match(make_version("a"), make_version("b")), make_match(make_version("c"), make_version("d"))
    with django_capture_on_commit_callbacks(execute=True):
        MATCHES.notify([first.pk])
    contest_limits_set(contest=GAME, limits={"memory_mib": 512}, actor=None)
    with django_capture_on_commit_callbacks(execute=True):
        MATCHES.notify([second.pk])
    assert [job.limits.memory_mib for job in sent] == [256, 512]
