"""The bucket of bots and replays is away: pages say so, nothing is half stored, and no work is lost."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from structlog.testing import capture_logs

from accounts.models import User
from jobs import sending
from jobs.services.dispatching import queue_dispatch
from ladder.models import BotVersion
from ladder.services.examining import uploads_examine
from matches.models import Match
from tests.api.conftest import client_of
from tests.ladder.makers import an_upload, make_user
from tests.matches import makers
from wire.jobs import PlayJob
from wire.turnlog import LoggedTurn, pack

pytestmark = pytest.mark.django_db

Commit = Callable[..., AbstractContextManager[object]]
AGAIN = "Please try again in a few minutes."


@pytest.fixture
def owner(finished: Match) -> User:
    """The owner of a bot that has written to standard error."""
    turn = LoggedTurn(0, 0, "asked", "answered", "stderr", 1.0, 1.0)
    finished.result.log_digest = makers.store_replay(pack([turn]))
    finished.result.save()
    found: User = finished.seats.get(index=0).version.bot.owner
    return found


def test_a_replay_cannot_be_read_now_which_is_not_that_it_is_gone(
    away: Callable[[], None], client: Client, finished: Match
) -> None:
    away()
    page = client.get(reverse("matches:replay", args=[finished.pk]))
    assert (page.status_code, f"Replays cannot be read just now. {AGAIN}" in page.text) == (503, True)
    viewer = client.get(reverse("matches:replay_json", args=[finished.pk]))
    assert (viewer.status_code, AGAIN in viewer.json()["error"]) == (503, True)
    assert ("Cache-Control" in page, "Cache-Control" in viewer) == (False, False)
    for name in ("replay", "records"):
        answer = client.get(reverse(f"api:{name}", args=[finished.pk]))
        assert (answer.status_code, answer.json()["type"]) == (503, "/api/#unavailable")
        assert AGAIN in answer.json()["detail"]


def test_a_log_of_turns_cannot_be_read_now(
    away: Callable[[], None], client: Client, finished: Match, owner: User
) -> None:
    client.force_login(owner)
    assert "stderr" in client.get(reverse("matches:match_log", args=[finished.pk])).text
    away()
    for name in ("match_log", "match_log_json"):
        answer = client.get(reverse(f"matches:{name}", args=[finished.pk]))
        assert (answer.status_code, AGAIN in answer.text) == (503, True)
    assert client.get(reverse("matches:match", args=[finished.pk])).status_code == HTTPStatus.OK


def test_an_upload_is_taken_and_examined_once_the_store_is_back(away: Callable[[], None], client: Client) -> None:
    """Its deadline does not wait for the store. Meanwhile it lies in the database."""
    carol = make_user("carol")
    client.force_login(carol)
    away()
    sent = {"contest": "kakomimasu", "name": "Moat", "upload": an_upload()}
    assert client.post(reverse("ladder:upload"), sent).status_code == HTTPStatus.FOUND
    sent |= {"name": "Wall", "upload": an_upload(b"print(2)\n")}
    assert client_of(carol).post("/api/v1/versions/", sent).status_code == HTTPStatus.CREATED
    assert uploads_examine(for_seconds=10) == 0
    assert set(BotVersion.objects.values_list("state", flat=True)) == {BotVersion.State.RECEIVED}


def test_nothing_is_handed_out(
    away: Callable[[], None],
    settings: Settings,
    django_capture_on_commit_callbacks: Commit,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else each match and build would use up its three attempts, since no worker could fetch the bots."""
    sent: list[PlayJob] = []
    monkeypatch.setattr(sending, "send", lambda app, task, job, **_: sent.append(job))
    folders = settings.STORAGES
    makers.make_match(makers.make_version("a"), makers.make_version("b"))
    away()
    with django_capture_on_commit_callbacks(execute=True), capture_logs() as logs:
        assert queue_dispatch() == 0
    assert [(line["event"], line["problem"]) for line in logs] == [
        ("store_away", "the bucket cannot be used: EndpointConnectionError")
    ]
    assert sent == []
    settings.STORAGES = folders
    with django_capture_on_commit_callbacks(execute=True):
        assert queue_dispatch() == 1
    assert len(sent) == 1
