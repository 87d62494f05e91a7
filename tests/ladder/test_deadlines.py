"""Deadlines of games: uploads are taken until then, and matches go on after it."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from common.errors import InputError
from common.times import timed
from contests.models import Contest
from contests.selectors.contests import upload_problem
from contests.services.contests import contest_deadline_set, contest_transition
from ladder.models import BotVersion
from ladder.services.uploads import version_create, version_retry
from ladder.services.versions import version_transition
from tests.ladder.makers import DIGEST, an_upload, make_user, make_version

pytestmark = pytest.mark.django_db

GAME = "kakomimasu"
DAY = timedelta(days=1)
State = Contest.State


def deadline_in(time: timedelta) -> datetime:
    until = timezone.now() + time
    contest_deadline_set(contest=GAME, until=until, actor=None)
    return until


def test_the_deadline_is_the_first_moment_that_is_too_late() -> None:
    until = deadline_in(DAY)
    assert upload_problem(contest=GAME, received_at=until - timedelta(microseconds=1)) == ""
    assert f"until {until:%Y-%m-%d %H:%M} UTC." in upload_problem(contest=GAME, received_at=until)
    assert upload_problem(contest=GAME) == upload_problem(contest="puyo") == ""


def test_a_late_upload_is_refused_and_nothing_is_stored(client: Client) -> None:
    alice = make_user("alice")
    client.force_login(alice)
    deadline_in(DAY)
    version_create(owner=alice, contest=GAME, name="Moat", upload=an_upload())
    deadline_in(-DAY)
    page = client.post("/upload/", {"contest": GAME, "name": "Moat", "upload": an_upload(b"print(2)\n")})
    assert page.status_code == 422
    assert "No bots are taken for this contest any more: they were until" in page.text
    assert BotVersion.objects.count() == 1
    version_create(owner=alice, contest="puyo", name="Moat", upload=an_upload())
    contest_deadline_set(contest=GAME, until=None, actor=None)
    version_create(owner=alice, contest=GAME, name="Moat", upload=an_upload(b"print(2)\n"))


def test_a_bot_that_came_in_time_plays_however_late_it_is_built() -> None:
    plays = make_version()
    late = make_version(plays.bot, state=BotVersion.State.BUILDING)
    deadline_in(timedelta(0))
    late = version_transition(version=late, to=BotVersion.State.ACTIVE, artifact_digest=DIGEST)
    plays.refresh_from_db()
    assert (plays.state, late.state) == (BotVersion.State.RETIRED, BotVersion.State.ACTIVE)


def test_a_failed_build_may_be_retried_if_its_upload_came_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.services.uploads.build_enqueue", lambda *, version: None)
    failed = make_version(state=BotVersion.State.FAILED)
    deadline_in(-DAY)
    with pytest.raises(InputError, match="No bots are taken"):
        version_retry(version=failed)
    # Created today, but sent the day before yesterday, as the rebuilds that the quarantine of a worker makes.
    BotVersion.objects.update(received_at=timezone.now() - 2 * DAY)
    failed.refresh_from_db()
    assert version_retry(version=failed).state == BotVersion.State.UPLOADED


def test_the_state_of_a_game_and_its_deadline_are_two_things() -> None:
    deadline_in(-DAY)
    for to in (State.PAUSED, State.FROZEN, State.OPEN):
        contest_transition(contest=GAME, to=to, actor=None)
        assert ("contest is over" in upload_problem(contest=GAME)) == (to == State.FROZEN)
        assert upload_problem(contest=GAME)


# --- Pages and the command ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "state", "told", "untold"),
    [
        (DAY, State.OPEN, ["Bots are taken until"], ["were taken", "Matches go on"]),
        (-DAY, State.OPEN, ["Bots were taken until", "no more are.", "Matches go on"], ["are taken until"]),
        (-DAY, State.PAUSED, ["This contest is paused", "Bots were taken until"], ["Matches go on"]),
        (-DAY, State.FROZEN, ["This contest is over"], ["taken until", "Matches go on"]),
    ],
)
def test_pages_of_the_game_show_it(
    client: Client, time: timedelta, state: State, told: list[str], untold: list[str]
) -> None:
    until = deadline_in(time)
    if state != State.OPEN:
        contest_transition(contest=GAME, to=state, actor=None)
    client.force_login(make_user("alice"))
    moment = timed(until)
    for url in (
        reverse("ladder:games"),
        reverse("ladder:board", args=[f"games/{GAME}"]),
        reverse("ladder:guide", args=[f"games/{GAME}"]),
    ):
        page = client.get(url).text
        assert [words for words in told if words not in page] == []
        assert [words for words in untold if words in page] == []
        assert (moment in page) == (state != State.FROZEN)
    assert (moment in client.get("/upload/").text) == (state != State.FROZEN)


@pytest.mark.parametrize(("time", "offered"), [(DAY, True), (-DAY, False)])
def test_no_page_offers_what_would_be_refused(client: Client, time: timedelta, offered: bool) -> None:
    deadline_in(time)
    for url in (reverse("ladder:games"), reverse("ladder:board", args=[f"games/{GAME}"])):
        assert (f"{reverse('ladder:upload')}?contest={GAME}" in client.get(url).text) == offered


def test_an_unknown_game_has_no_deadline() -> None:
    with pytest.raises(InputError, match="no such contest"):
        contest_deadline_set(contest="chess", until=None, actor=None)
