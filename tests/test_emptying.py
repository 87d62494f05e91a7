"""Rows that a test commits are deleted before the next test."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from accounts.models import User
from tests.api.conftest import arena
from tests.at_once import while_uncommitted
from tests.emptying import database_empty
from tests.ladder.makers import make_user

__all__ = ["arena"]

pytestmark = pytest.mark.django_db(transaction=True)


def rows() -> dict[str, int]:
    """Return the number of rows of each table."""
    with connection.cursor() as cursor:
        counted = {}
        for table in connection.introspection.django_table_names():
            cursor.execute(f"SELECT COUNT(*) FROM {connection.ops.quote_name(table)}")  # noqa: S608 - our own tables
            counted[table] = cursor.fetchone()[0]
        return counted


@pytest.mark.database
@pytest.mark.usefixtures("arena")
def test_it_leaves_the_rows_that_django_would_leave() -> None:
    before = rows()
    database_empty()
    left = rows()
    call_command("flush", verbosity=0, interactive=False)
    assert left == rows() != before


def test_it_waits_for_transactions_that_still_write(django_db_blocker: DjangoDbBlocker) -> None:
    while_uncommitted(lambda: make_user("late"), database_empty, django_db_blocker)
    assert not User.objects.exists()
