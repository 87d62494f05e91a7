"""Empties the database after a test that commits, as Django does but much faster."""

from __future__ import annotations

from functools import cache

from django.db import OperationalError, connection, transaction
from psycopg.errors import DeadlockDetected

from contests.services.contests import open_contests_ensure

KEPT = {"django_migrations", "django_content_type", "auth_permission"}
"""Tables whose rows follow from the models: no test writes to them."""


def database_empty(_: object = None) -> None:
    """Delete all rows that a freshly migrated database does not have.

    Django truncates all tables, for which PostgreSQL creates hundreds of files, and then fills the tables in ``KEPT``.
    A request that still runs may hold one table and wait for another: PostgreSQL then ends one of us, and we try again.
    """
    while True:
        try:
            _rows_delete()
        except OperationalError as error:
            if not isinstance(error.__cause__, DeadlockDetected):
                raise
        else:
            return


def _rows_delete() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Waits, as TRUNCATE does, for requests that still run: the next test would find the rows that they write.
            cursor.execute(f"LOCK TABLE {', '.join(_tables())}")
        cursor.execute(_filled_query())
        for (table,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {table}")  # noqa: S608 - names of our own tables
        open_contests_ensure()


@cache
def _filled_query() -> str:
    """Return a query for the quoted names of tables that have rows: a test fills few of some hundred."""
    return " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in _tables())  # noqa: S608


@cache
def _tables() -> list[str]:
    names = set(connection.introspection.django_table_names()) - KEPT
    return [connection.ops.quote_name(name) for name in sorted(names)]
