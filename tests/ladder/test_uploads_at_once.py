"""Uploads at the same time as an upload of the same name, or a deletion of the same file."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.core.files.storage import storages
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts.models import User
from common.errors import InputError
from common.queries.sql import database_now
from jobs.files.storage import ARTIFACTS
from ladder.files.bundles import Bundle
from ladder.models import BotVersion
from ladder.services import examining
from ladder.services.bots import bot_delete
from ladder.services.examining import uploads_examine
from ladder.services.uploads import upload_receive, version_create
from ladder.services.versions import version_transition
from tests.at_once import PATIENCE_SECONDS, while_uncommitted
from tests.ladder.makers import an_upload, make_user

pytestmark = pytest.mark.django_db(transaction=True)  # not `database`: SQLite has one transaction at a time


@pytest.fixture
def tried(alice: User, enqueued: list[int]) -> BotVersion:
    """A version of Alice's that was rejected two hours ago."""
    version = upload(alice, "Draft")
    BotVersion.objects.update(created_at=timezone.now() - timedelta(hours=2))
    return version_transition(version=version, to=BotVersion.State.REJECTED)


def upload(owner: User, name: str) -> BotVersion:
    return version_create(owner=owner, contest="kakomimasu", name=name, upload=an_upload())


def test_a_file_that_is_just_uploaded_is_not_deleted(tried: BotVersion, django_db_blocker: DjangoDbBlocker) -> None:
    bob = make_user("bob")
    while_uncommitted(lambda: upload(bob, "Wall"), lambda: bot_delete(bot=tried.bot), django_db_blocker)
    assert BotVersion.objects.get().bot.name == "Wall"
    assert storages[ARTIFACTS].exists(tried.bundle_digest)


def test_an_upload_does_not_go_to_a_bot_that_is_being_renamed(
    tried: BotVersion, alice: User, django_db_blocker: DjangoDbBlocker
) -> None:
    def again() -> str:
        try:
            return upload(alice, "Draft").bot.name
        except InputError as error:
            return str(error)

    bob = make_user("bob")
    assert "Please choose another name" in while_uncommitted(lambda: upload(bob, "Draft"), again, django_db_blocker)


def test_managers_divide_the_uploads_among_them(
    alice: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    versions = [
        upload_receive(
            owner=alice,
            contest="kakomimasu",
            name=f"Bot {number}",
            upload=an_upload(b"print(%d)\n" % number),
            received_at=database_now(),
        ).pk
        for number in range(6)
    ]
    real, unpacked, both_unpack = examining.bundle_check, [], Barrier(2, timeout=PATIENCE_SECONDS)

    def counted(*, name: str, data: bytes) -> Bundle:
        unpacked.append(data)
        if len(unpacked) <= 2:
            both_unpack.wait()
        return real(name=name, data=data)

    def manager() -> int:
        with django_db_blocker.unblock():
            try:
                return uploads_examine(for_seconds=PATIENCE_SECONDS)
            finally:
                connection.close()

    monkeypatch.setattr(examining, "bundle_check", counted)
    with ThreadPoolExecutor(2) as managers:
        counts = [done.result() for done in [managers.submit(manager), managers.submit(manager)]]
    assert sum(counts) == len(unpacked) == len(set(unpacked)) == 6, "each is unpacked once"
    assert min(counts) >= 1
    assert sorted(enqueued) == versions
    assert uploads_examine(for_seconds=0) == 0


def test_an_upload_whose_examination_broke_is_free_again(
    alice: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
) -> None:
    version = upload_receive(
        owner=alice, contest="kakomimasu", name="Moat", upload=an_upload(), received_at=database_now()
    )

    def fails(*_: object) -> None:
        raise ValueError

    with monkeypatch.context() as patched:
        patched.setattr(examining, "_accept", fails)
        assert uploads_examine(for_seconds=0) == 0
    assert while_uncommitted(lambda: None, lambda: uploads_examine(for_seconds=0), django_db_blocker) == 1
    assert enqueued == [version.pk]


def test_an_upload_is_free_again_when_the_connection_of_its_manager_dies(
    alice: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    version = upload_receive(
        owner=alice, contest="kakomimasu", name="Moat", upload=an_upload(), received_at=database_now()
    )

    def dies(*_: object) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with monkeypatch.context() as patched:
        patched.setattr(examining, "_accept", dies)
        with pytest.raises(OperationalError):
            uploads_examine(for_seconds=0)

    def examined() -> int:
        ends = time.monotonic() + PATIENCE_SECONDS
        while not (count := uploads_examine(for_seconds=0)):  # the dying process frees its locks last
            assert time.monotonic() < ends
        return count

    assert while_uncommitted(lambda: None, examined, django_db_blocker) == 1
    assert enqueued == [version.pk]
