"""Finding the same program at several owners."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from ladder.models import BotVersion
from ladder.selectors.programs import programs_shared
from tests.ladder.makers import make_bot, make_user, make_version

pytestmark = pytest.mark.django_db

GAME = "kakomimasu"
ONE, OTHER, THIRD = "1" * 64, "2" * 64, "3" * 64


def version(name: str, bundle: str, artifact: str, state: str = "active", **bot: object) -> BotVersion:
    """Create a version of a bot; the first word of the bot's name is its owner."""
    username = name.split()[0]
    owner = User.objects.filter(username=username).first() or make_user(username)
    return make_version(make_bot(name, owner, **bot), bundle_digest=bundle, artifact_digest=artifact, state=state)


def shared() -> list[tuple[str, list[str]]]:
    return [(found.digest[0], [row.bot.name for row in found.versions]) for found in programs_shared(contest=GAME)]


def test_equal_uploads_are_found_once(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    version("ann", ONE, OTHER)
    version("bob", ONE, OTHER)
    version("cid", THIRD, THIRD)
    with django_assert_num_queries(1):
        (found,) = programs_shared(contest=GAME)
        assert [row.bot.owner.username for row in found.versions] == ["ann", "bob"]
    assert programs_shared(contest="puyo") == []


def test_the_same_upload_that_is_built_otherwise_is_found() -> None:
    version("ann", THIRD, ONE)
    version("bob", THIRD, OTHER)
    assert shared() == [("3", ["ann", "bob"])]


def test_a_group_lists_all_its_versions() -> None:
    version("ann", ONE, THIRD)
    version("bob", ONE, THIRD)
    version("cid", OTHER, THIRD)
    assert shared() == [("3", ["ann", "bob", "cid"])]


def test_the_newest_group_comes_first() -> None:
    for name, digest in (("ann", ONE), ("ann 2", OTHER), ("bob", OTHER), ("bob 2", ONE)):
        version(name, digest, digest)
    assert shared() == [("1", ["ann", "bob 2"]), ("2", ["ann 2", "bob"])]


def test_bots_of_one_owner_are_no_group() -> None:
    version("ann", ONE, ONE)
    version("ann 2", ONE, ONE)
    assert shared() == []


def test_versions_that_do_not_play_are_no_group() -> None:
    version("ann", ONE, ONE)
    for number, state in enumerate(("retired", "rejected", "failed", "uploaded", "building")):
        version(f"bob {number}", ONE, ONE, state)
    assert shared() == []
    version("bob", ONE, ONE, "probation")
    assert shared() == [("1", ["ann", "bob"])]


def test_house_bots_count_as_owners() -> None:
    version("house", ONE, ONE, is_house=True, declared_rating=1_500.0)
    version("ann", ONE, ONE)
    (found,) = programs_shared(contest=GAME)
    assert [row.bot.is_house for row in found.versions] == [True, False]
