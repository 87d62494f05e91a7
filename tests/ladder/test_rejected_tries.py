"""Bots without accepted versions: who may see them, and how their owners delete them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Notification, User
from core.message import said, stored
from jobs.files.storage import ARTIFACTS, REPLAYS
from ladder.models import Bot, BotVersion
from ladder.news import BUILT, REJECTED
from ladder.services.bots import bot_delete
from ladder.services.notifications import notification_create
from ladder.services.uploads import version_create
from ladder.services.versions import version_transition
from matches.models import Result
from tests.ladder.makers import an_upload, make_bot, make_user, make_version
from tests.matches.makers import finish_match, make_running, store_replay
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db

State = BotVersion.State


@pytest.fixture
def tried(alice: User) -> Bot:
    """A bot of Alice's whose only version was rejected two hours ago."""
    version = make_version(make_bot("Draft", alice), state=State.REJECTED, reason=stored(said("It crashed on turn 3.")))
    return aged(version).bot


def aged(version: BotVersion) -> BotVersion:
    BotVersion.objects.filter(pk=version.pk).update(created_at=timezone.now() - timedelta(hours=2))
    return version


@pytest.mark.parametrize("state", [State.REJECTED, State.UPLOADED, State.BUILDING, State.FAILED])
def test_only_owner_and_administrators_see_rejected_bots(alice: User, client: Client, state: State) -> None:
    bot = make_version(make_bot("Draft", alice), state=state).bot
    others = [signed_in(user) for user in (make_user("bob"), alice, make_user("chief", is_staff=True))]
    parts = {"": ["", "versions/", "opponents/"], "/api/v1": ["", "versions/", "rating/", "opponents/", "matches/"]}
    for page in [f"{site}/bots/{bot.pk}/{part}" for site, each in parts.items() for part in each]:
        found = [visitor.get(page).status_code for visitor in (client, *others)]
        assert found == [404, 404, 200, 200], page


def test_no_list_and_no_search_names_rejected_bots(tried: Bot, alice: User, client: Client) -> None:
    known = make_version(make_bot("Wall", make_user("bob"))).bot
    lists = [
        "/users/alice/",
        "/api/v1/users/alice/",
        f"/matches/?bot_id={tried.pk}",
        f"/matches/?version={tried.versions.get().pk}",
        f"/compare/?a={tried.pk}",
        f"/compare/?a={known.pk}&b=DRAFT",
        "/games/kakomimasu/?name=dra",
    ]
    for page in lists:
        assert "Draft" not in client.get(page).text, page
    for reader in (alice, make_user("chief", is_staff=True)):
        assert "Draft" in signed_in(reader).get("/users/alice/").text


def test_everybody_sees_a_bot_once_a_version_was_accepted(tried: Bot, client: Client) -> None:
    make_version(tried)
    assert client.get(f"/bots/{tried.pk}/").status_code == 200
    for _ in range(25):  # more than a page lists
        make_version(tried, state=State.REJECTED)
    BotVersion.objects.filter(state=State.ACTIVE).update(state=State.RETIRED)
    assert client.get(f"/bots/{tried.pk}/").status_code == 200


def test_the_owner_deletes_a_rejected_bot(tried: Bot, alice: User) -> None:
    version = tried.versions.get()
    notification_create(kind=REJECTED, bot=tried, occasion="once", version=version.pk, number=1)
    other = make_version(make_bot("Moat", alice))
    notification_create(kind=BUILT, bot=other.bot, occasion="once", version=other.pk, number=1)
    owner = signed_in(alice)
    assert "Delete for good" in owner.get(f"/bots/{tried.pk}/").text
    done = owner.post(f"/bots/{tried.pk}/delete/", follow=True)
    assert done.redirect_chain == [("/mine/", 302)]
    assert "Draft is deleted." in done.text
    assert list(Bot.objects.all()) == [other.bot]
    assert list(BotVersion.objects.all()) == [other]
    assert [row.values["bot"] for row in Notification.objects.all()] == [other.bot_id]


def test_the_upload_is_deleted_unless_another_version_shares_it(
    alice: User, enqueued: list[int], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def rejected(owner: User, name: str) -> BotVersion:
        version = version_create(owner=owner, contest="kakomimasu", name=name, upload=an_upload())
        return aged(version_transition(version=version, to=State.REJECTED))

    mine, theirs = rejected(alice, "Draft"), rejected(make_user("bob"), "Wall")
    store = storages[ARTIFACTS]
    with django_capture_on_commit_callbacks(execute=True):
        signed_in(alice).post(f"/bots/{mine.bot_id}/delete/")
    assert store.exists(mine.bundle_digest)
    with django_capture_on_commit_callbacks(execute=True):
        signed_in(theirs.bot.owner).post(f"/bots/{theirs.bot_id}/delete/")
    assert not store.exists(mine.bundle_digest)
    assert not Bot.objects.exists()
    assert len(enqueued) == 2


def test_replay_and_log_of_the_check_are_deleted_unless_shared(
    tried: Bot, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    own, log, shared, public, public_log = (store_replay(data) for data in (b"1", b"2", b"3", b"4", b"5"))
    tried.versions.update(check_replay_digest=own, check_log_digest=log)
    make_version(tried, state=State.REJECTED, check_replay_digest=shared, check_log_digest=public)
    make_version(tried, state=State.REJECTED, check_replay_digest=public_log)
    BotVersion.objects.update(created_at=timezone.now() - timedelta(hours=2))
    make_version(make_bot("Moat"), check_replay_digest=shared)
    finish_match(make_running("a", "b"))
    Result.objects.update(replay_digest=public, log_digest=public_log)
    with django_capture_on_commit_callbacks(execute=True):
        bot_delete(bot=tried)
    store = storages[REPLAYS]
    assert [store.exists(one) for one in (own, log, shared, public, public_log)] == [False, False, True, True, True]


def test_only_the_owners_notifications_are_searched(tried: Bot) -> None:
    with CaptureQueriesContext(connection) as asked:
        bot_delete(bot=tried)
    (search,) = [query["sql"] for query in asked if '"accounts_notification"' in query["sql"]]
    assert '"reader_id" = ' in search


@pytest.mark.parametrize(
    ("state", "hours", "words"),
    [
        (State.ACTIVE, 2, "once accepted stays"),
        (State.RETIRED, 2, "once accepted stays"),
        (State.UPLOADED, 2, "still waits for its check"),
        (State.BUILDING, 2, "still waits for its check"),
        (State.REJECTED, 0, "You can delete this bot in 60 minutes"),
    ],
)
def test_deleting_an_accepted_or_waiting_bot_is_refused(alice: User, state: State, hours: int, words: str) -> None:
    version = make_version(make_bot(owner=alice), state=state)
    BotVersion.objects.update(created_at=timezone.now() - timedelta(hours=hours))
    owner = signed_in(alice)
    assert "Delete for good" not in owner.get(f"/bots/{version.bot_id}/").text
    refused = owner.post(f"/bots/{version.bot_id}/delete/", follow=True)
    assert words in refused.text
    assert Bot.objects.exists()


def test_only_the_owner_deletes_a_rejected_bot(tried: Bot, client: Client) -> None:
    client.post(f"/bots/{tried.pk}/delete/")
    for user in (make_user("bob"), make_user("chief", is_staff=True)):
        assert signed_in(user).post(f"/bots/{tried.pk}/delete/").status_code == 404
        assert signed_in(user).delete(f"/api/v1/bots/{tried.pk}/").status_code == 404
    assert signed_in(tried.owner).get(f"/bots/{tried.pk}/delete/").status_code == 405
    assert Bot.objects.exists()
    assert signed_in(tried.owner).delete(f"/api/v1/bots/{tried.pk}/").status_code == 204
    assert not Bot.objects.exists()
