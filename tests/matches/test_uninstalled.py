"""A game that is installed on one side only, or not any more: its jobs wait or are handed on, the other games go on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from contests.models import Contest
from fleet.services.quarantine import worker_quarantine
from jobs import sending
from jobs.services.dispatching import queue_dispatch
from ladder.models import Bot, BotVersion
from ladder.services.builds import build_enqueue
from matches.models import Attempt, Match, Trial
from matches.selectors.matches import matches_of_older_rules
from matches.services.match_jobs import MATCHES
from matches.services.trials import trials_step
from tests.fleet.makers import make_worker
from tests.installing import games_installed
from tests.ladder import makers as uploads
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, make_match, make_records, make_version, queue_match
from wire.jobs import BuildJob, PlayJob
from workers.play import Tools, match_play

pytestmark = [pytest.mark.database, pytest.mark.django_db]

TOY = "from tests.core.toy import RockPaperScissors\nclass Toy(RockPaperScissors):\n    name = 'toy'\n"


@pytest.fixture
def toy(tmp_path: Path) -> Callable[[], AbstractContextManager[None]]:
    """Return a function that installs the game ``toy``."""
    (tmp_path / "toys").mkdir()
    (tmp_path / "toys/__init__.py").write_text(TOY)
    numbers = iter(range(10))
    return lambda: games_installed(tmp_path, {"toy": "toys:Toy"}, f"toys{next(numbers)}")


@pytest.fixture(autouse=True)
def sent(monkeypatch: pytest.MonkeyPatch) -> list[PlayJob | BuildJob]:
    messages: list[PlayJob | BuildJob] = []
    monkeypatch.setattr(sending, "send", lambda app, task, message, **_: messages.append(message))
    return messages


def toy_versions() -> list[BotVersion]:
    versions = [make_version(name, "tess") for name in ("rock", "paper", "scissors")]
    Contest.objects.get_or_create(slug="toy", game="toy", state="open")
    Bot.objects.update(contest="toy", game="toy")
    return versions


def test_a_job_for_a_game_that_a_worker_lacks_is_handed_on_and_fleet_says_so(
    client: Client,
    toy: Callable[[], AbstractContextManager[None]],
    sent: list[PlayJob | BuildJob],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    make_worker("play@poor")
    match = queue_match(*(version.pk for version in toy_versions()[:2]), game="toy")
    with toy(), django_capture_on_commit_callbacks(execute=True):
        assert queue_dispatch() == 1
    (job,) = sent
    assert isinstance(job, PlayJob)
    report = match_play(job, Tools(Mock(), Mock(), Mock(), "play@poor"))
    with toy():
        MATCHES.record(report=report)
    match.refresh_from_db()
    assert (match.state, match.attempt) == (Match.State.QUEUED, 2)
    assert [attempt.ending for attempt in match.attempts.order_by("number")] == [Attempt.Ending.WITHDRAWN, ""]
    client.force_login(make_user("root", is_staff=True))
    page = client.get(reverse("fleet:fleet")).content.decode()
    assert "This worker does not know the game toy" in page


def test_what_is_left_of_a_game_that_is_not_installed_any_more_stops_no_other(
    sent: list[PlayJob | BuildJob], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    make_worker("play@rich", processes=20)
    old = toy_versions()
    trial = partial(Trial.objects.create, state=Trial.State.RUNNING, games_max=100)
    trial(candidate=old[0], reference=old[1], owner=old[0].bot.owner, game="toy")
    queue_match(*(version.pk for version in old[:2]), game="toy")
    build_enqueue(version=uploads.make_version(old[0].bot, state=BotVersion.State.UPLOADED, artifact_digest=""))
    new = [make_version("ant"), make_version("bee")]
    queue_match(*(version.pk for version in new))
    running = trial(candidate=new[0], reference=new[1], owner=new[0].bot.owner, game="kakomimasu")
    with django_capture_on_commit_callbacks(execute=True):
        assert queue_dispatch() == 3
    assert {(type(job), job.game) for job in sent} == {(PlayJob, "toy"), (BuildJob, "toy"), (PlayJob, "kakomimasu")}
    trials_step()
    assert running.pairs.exists()
    assert matches_of_older_rules() == []


def test_its_pages_stay_and_its_matches_can_be_voided(client: Client) -> None:
    versions = toy_versions()
    match = finish_match(make_match(*versions[:2]), make_records("rock", "paper"))
    Match.objects.update(contest="toy", game="toy")
    urls = ["/", "/games/", "/matches/", f"/matches/{match.pk}/"]
    urls += [f"/bots/{versions[0].bot_id}/", *(f"/versions/{version.pk}/" for version in versions)]
    client.force_login(versions[0].bot.owner)
    for url in (*urls, f"/api/v1/matches/{match.pk}/"):
        assert client.get(url).status_code == HTTPStatus.OK, url
    for url in ("/games/toy/", "/games/toy/guide/"):
        assert client.get(url).status_code == HTTPStatus.NOT_FOUND, url
    make_worker("worker-1")
    worker_quarantine(name="worker-1", actor=make_user("root", is_staff=True), reason="It lies.")
    match.refresh_from_db()
    assert match.state == Match.State.VOID
