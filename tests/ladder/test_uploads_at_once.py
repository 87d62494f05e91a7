"""Uploads at the same time as an upload of the same name, or a deletion of the same file."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from accounts.models import User
from common.errors import InputError
from jobs.files.storage import ARTIFACTS
from ladder.models import BotVersion
from ladder.services.bots import bot_delete
from ladder.services.uploads import version_create
from ladder.services.versions import version_transition
from tests.at_once import while_uncommitted
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
