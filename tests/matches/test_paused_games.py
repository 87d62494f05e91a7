"""A game that is not open gets no new matches of any kind; matches that run end as always."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from common.errors import InputError
from ladder.models import GameSetting
from ladder.services.games import game_deadline_set, game_limits_set, game_transition
from matches.models import Match, Trial
from matches.selectors.first_games import first_games
from matches.services.notifying import matches_notify
from matches.services.pairing import matches_pair
from matches.services.reruns import match_rerun
from matches.services.trials import trial_start, trial_step
from tests.ladder.makers import make_bot, make_user
from tests.ladder.makers import make_version as make_version_of
from tests.matches.makers import finish_match, make_match, make_version

pytestmark = pytest.mark.django_db

GAME = "kakomimasu"
State = GameSetting.State
CLOSED = [State.PAUSED, State.FROZEN]


@pytest.mark.parametrize("state", CLOSED)
def test_nothing_is_paired(state: State) -> None:
    make_version("a", artifact_digest="1" * 64)
    make_version("b", artifact_digest="2" * 64)
    game_transition(game=GAME, to=state, actor=None)
    assert matches_pair(game=GAME) == 0
    assert not Match.objects.exists()
    game_transition(game=GAME, to=State.OPEN, actor=None)
    assert matches_pair(game=GAME) > 0


def test_pairing_goes_on_behind_the_deadline() -> None:
    make_version("a", artifact_digest="1" * 64)
    make_version("b", artifact_digest="2" * 64)
    game_deadline_set(game=GAME, until=timezone.now(), actor=None)
    assert matches_pair(game=GAME) > 0


@pytest.mark.parametrize("state", CLOSED)
def test_what_is_under_way_ends(state: State) -> None:
    match = make_match(make_version("a"), make_version("b"))
    game_transition(game=GAME, to=state, actor=None)
    assert finish_match(match).state == Match.State.FINISHED


@pytest.mark.parametrize("state", CLOSED)
def test_nothing_is_played_again(state: State) -> None:
    match = finish_match(make_match(make_version("a"), make_version("b")))
    game_transition(game=GAME, to=state, actor=None)
    with pytest.raises(InputError, match=f"This game is {state}"):
        match_rerun(match=match)


@pytest.fixture
def trial() -> Trial:
    alice = make_user("alice")
    old = make_version_of(make_bot("Moat", alice), state="retired", artifact_digest="1" * 64)
    new = make_version_of(old.bot, artifact_digest="2" * 64)
    return trial_start(owner=alice, candidate=new, reference=old)


@pytest.mark.parametrize("state", CLOSED)
def test_no_private_test_begins(trial: Trial, state: State) -> None:
    Trial.objects.update(state=Trial.State.STOPPED)
    game_transition(game=GAME, to=state, actor=None)
    with pytest.raises(InputError, match=f"This game is {state}"):
        trial_start(owner=trial.owner, candidate=trial.candidate, reference=trial.reference)


def test_a_private_test_waits_while_its_game_is_paused(trial: Trial) -> None:
    pairs = trial.pairs.count()
    game_transition(game=GAME, to=State.PAUSED, actor=None)
    _play_all()
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert (trial.state, trial.pairs.count()) == (Trial.State.RUNNING, pairs)
    game_transition(game=GAME, to=State.OPEN, actor=None)
    trial_step(trial=trial)
    assert trial.pairs.count() > pairs


def test_a_private_test_ends_in_a_frozen_game_once_its_last_pair_is_played(trial: Trial) -> None:
    game_transition(game=GAME, to=State.FROZEN, actor=None)
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert trial.state == Trial.State.RUNNING
    assert not Match.objects.filter(state=Match.State.VOID).exists()
    _play_all()
    trial_step(trial=trial)
    trial.refresh_from_db()
    assert trial.state == Trial.State.STOPPED
    assert "frozen" in trial.reason


def _play_all() -> None:
    for match in Match.objects.filter(state=Match.State.QUEUED):
        match.seats.filter(index=0).update(rank=1)
        match.seats.filter(index=1).update(rank=1)
    Match.objects.filter(state=Match.State.QUEUED).update(state=Match.State.FINISHED)


@pytest.mark.parametrize("state", CLOSED)
def test_no_first_games_are_promised(client: Client, state: State) -> None:
    version = make_version("a")
    make_version("b")
    game_transition(game=GAME, to=state, actor=None)
    progress = first_games(version=version)
    assert progress is not None
    assert progress.seconds is None
    assert f"This game is {state}" in progress.problem
    page = client.get(reverse("matches:first_games", args=[version.pk])).text
    assert f"This game is {state}" in page
    assert "Reckoned" not in page


def test_a_job_carries_the_limits_of_its_moment(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    sent = []
    monkeypatch.setattr("jobs.sending.send", lambda app, task, job, signature: sent.append(job))
    first, second = make_match(make_version("a"), make_version("b")), make_match(make_version("c"), make_version("d"))
    with django_capture_on_commit_callbacks(execute=True):
        matches_notify(pks=[first.pk])
    game_limits_set(game=GAME, limits={"memory_mib": 512}, actor=None)
    with django_capture_on_commit_callbacks(execute=True):
        matches_notify(pks=[second.pk])
    assert [job.limits.memory_mib for job in sent] == [256, 512]
