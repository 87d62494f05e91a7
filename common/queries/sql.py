"""Reads and updates without Django's query compiler, which takes up to twenty times as long as the database.

For the few statements of every match alone; new rows are written by ``bulk_create``, which costs hardly more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper


def rows_read(sql: str, *values: int | str | datetime) -> list[Any]:
    """Return what a statement reads, a tuple a row.

    Args:
        sql: a constant of ours, with ``%s`` for each value.
        values: numbers, text and times.
    """
    database = _database()
    given = [database.ops.adapt_datetimefield_value(one) if isinstance(one, datetime) else one for one in values]
    with database.cursor() as cursor:
        cursor.execute(sql, given)
        return list(cursor.fetchall())


@contextmanager
def snapshot() -> Iterator[None]:
    """Have all reads of a block see the database as it is at the first, and keep no writer waiting.

    Outside any transaction. By hand, since Django's own would be IMMEDIATE in SQLite, and keep all others from writing.
    """
    database = _database()
    begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" if database.vendor == "postgresql" else "BEGIN DEFERRED"
    with database.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def lock_clause(*, shared: bool = False) -> str:
    """Return what locks the rows that a statement reads; nothing in SQLite, where one transaction writes at a time.

    Not their keys, as ``select_for_update(no_key=True)``. The database looks at commit, in whatever order, whether the
    rows are there that new ones refer to: whoever seats two bots in a match would wait for those who lock them.

    Args:
        shared: with all others who lock them so; who wants one to himself (``select_for_update``) waits for all.
    """
    if not _database().features.has_select_for_update:
        return ""
    return " FOR KEY SHARE" if shared else " FOR NO KEY UPDATE"


def content_lock(*, digest: str, shared: bool = False) -> None:
    """Lock a stored file until the transaction ends; nothing in SQLite, where one transaction writes at a time.

    Args:
        digest: SHA-256 of what is in it.
        shared: with all others who use the file; who deletes it waits for them.
    """
    database = _database()
    if database.vendor != "postgresql":
        return
    function = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [int(digest[:15], 16)])  # 60 bits, what a key of the lock can hold


def rows_update(rows: Sequence[models.Model], names: Sequence[str]) -> None:
    """Save these fields of rows of one model, in one statement each; as ``bulk_update`` does, without signals."""
    if not rows:
        return
    database, meta = _database(), rows[0]._meta
    columns: list[models.Field[Any, Any]] = [meta.get_field(name) for name in names]  # type: ignore[misc] # no relations back
    quoted = database.ops.quote_name
    changes = ", ".join(f"{quoted(str(column.column))} = %s" for column in columns)
    change = f"UPDATE {quoted(meta.db_table)} SET {changes} WHERE {quoted(str(meta.pk.column))} = %s"  # noqa: S608 - our own names
    with database.cursor() as cursor:
        for row in rows:
            values = [column.get_db_prep_save(column.pre_save(row, False), database) for column in columns]
            cursor.execute(change, [*values, row.pk])


def _database() -> BaseDatabaseWrapper:
    """Return the connection itself: each look through Django's proxy of it takes longer than to convert a value."""
    return connections[DEFAULT_DB_ALIAS]
