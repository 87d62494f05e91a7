"""Reads that are cached for some seconds, and locks that hold for a transaction or a block."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from accounts.models import User
from common.queries.cached import cached, cached_changed, cached_clear, cached_each
from common.queries.sql import content_lock, database_now, examination_lock, snapshot
from tests.at_once import while_uncommitted
from tests.ladder.makers import make_user

DIGEST = "ab" * 32
read_for: list[list[int]] = []


def users() -> int:
    return User.objects.count()


def doubled(keys: Sequence[int]) -> dict[int, int]:
    read_for.append(list(keys))
    return {key: 2 * key for key in keys if key < 100}


@pytest.mark.django_db
def test_a_result_stays_until_the_data_is_said_to_have_changed(kept: None) -> None:
    before = cached(users)
    make_user()
    assert cached(users) == before
    cached_clear()
    assert cached(users) == before + 1


@pytest.mark.django_db
def test_a_change_is_seen_in_its_transaction_and_again_after_it(
    kept: None, django_capture_on_commit_callbacks: object
) -> None:
    before = cached(users)
    with django_capture_on_commit_callbacks(execute=True) as callbacks:  # type: ignore[operator]
        make_user()
        cached_changed()
        assert cached(users) == before + 1
    assert len(callbacks) == 1, "others may have cached the old data meanwhile"


@pytest.mark.django_db
def test_only_keys_that_are_not_cached_are_read_and_what_has_no_result_is_remembered(kept: None) -> None:
    cached_clear()
    read_for.clear()
    assert cached_each(doubled, [1, 2, 100]) == {1: 2, 2: 4}
    assert cached_each(doubled, [2, 3, 100]) == {2: 4, 3: 6}
    assert cached_each(doubled, [1, 2, 3, 100]) == {1: 2, 2: 4, 3: 6}
    assert cached_each(doubled, []) == {}
    assert read_for == [[1, 2, 100], [3]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.database
def test_a_snapshot_sees_one_state_and_is_read_only() -> None:
    before = users()
    with snapshot():
        assert users() == before
        assert users() == before
    make_user()
    assert users() == before + 1
    with pytest.raises(ZeroDivisionError), snapshot():
        raise ZeroDivisionError
    assert users() == before + 1, "the connection is as it was"


@pytest.mark.django_db
@pytest.mark.database
def test_the_clock_of_the_database_goes_on_within_a_transaction() -> None:
    first = database_now()
    assert first.tzinfo is not None
    assert database_now() >= first


@pytest.mark.django_db(transaction=True)
def test_an_upload_is_examined_by_one_process_at_a_time(django_db_blocker: DjangoDbBlocker) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("one process examines uploads there")

    def is_free(version: int) -> bool:
        with examination_lock(version=version) as free:
            return free

    with examination_lock(version=7) as free:
        assert free
        assert not while_uncommitted(lambda: None, lambda: is_free(7), django_db_blocker)
        assert while_uncommitted(lambda: None, lambda: is_free(8), django_db_blocker)
    assert while_uncommitted(lambda: None, lambda: is_free(7), django_db_blocker), "freed at the end of the block"
    with pytest.raises(ZeroDivisionError), examination_lock(version=7):
        raise ZeroDivisionError
    assert is_free(7)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("shared", [True, False])
def test_a_file_is_locked_until_the_transaction_ends(shared: bool) -> None:
    with transaction.atomic():
        content_lock(digest=DIGEST, shared=shared)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT mode FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
                assert cursor.fetchall() == [("ShareLock" if shared else "ExclusiveLock",)]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
            assert cursor.fetchone() == (0,)
