"""Rows without the query compiler, which takes five to twenty times as long to make a statement as it takes to run it.

For the few statements of every match alone. To write has the contract of ``bulk_create`` and ``bulk_update``: no
signals, no validation, and fields with ``auto_now_add`` are filled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from typing import Any, TypeAlias

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

_ROWS_MAX = 50
"""In one statement: of 500 rows its client takes three times as long to put the values in as of ten times 50."""

Column: TypeAlias = "models.Field[Any, Any]"


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


def locking(*, shared: bool = False) -> str:
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


def rows_insert(rows: Sequence[models.Model]) -> None:
    """Insert new rows of one model, which get their keys.

    Raises:
        django.db.IntegrityError: a constraint forbids one of them; none is inserted if a transaction is open.
    """
    if not rows:
        return
    database = _database()
    columns = [column for column in rows[0]._meta.concrete_fields if not column.primary_key]
    at_once = (database.features.max_query_params or _ROWS_MAX * len(columns)) // len(columns)
    waiting = iter(rows)
    with database.cursor() as cursor:
        while part := list(islice(waiting, at_once)):
            values = [value for row in part for value in _values(row, columns, database, is_new=True)]
            cursor.execute(_insertion(columns, len(part), database), values)
            for row, (key,) in zip(part, cursor.fetchall(), strict=True):
                row.pk = key
                row._state.adding, row._state.db = False, database.alias


def rows_update(rows: Sequence[models.Model], names: Sequence[str]) -> None:
    """Save these fields of rows of one model."""
    if not rows:
        return
    database = _database()
    columns: list[Column] = [rows[0]._meta.get_field(name) for name in names]  # type: ignore[misc] # no relations back
    values = [[*_values(row, columns, database, is_new=False), row.pk] for row in rows]
    change = _change(columns, database)
    with database.cursor() as cursor:
        for one in values:
            cursor.execute(change, one)


def _database() -> BaseDatabaseWrapper:
    """Return the connection itself: each look through Django's proxy of it takes longer than to convert a value."""
    return connections[DEFAULT_DB_ALIAS]


def _values(
    row: models.Model, columns: Sequence[Column], database: BaseDatabaseWrapper, *, is_new: bool
) -> Iterator[Any]:
    for column in columns:
        yield column.get_db_prep_save(column.pre_save(row, is_new), database)


def _insertion(columns: Sequence[Column], rows: int, database: BaseDatabaseWrapper) -> str:
    quoted = database.ops.quote_name
    row = f"({', '.join(['%s'] * len(columns))})"
    names = ", ".join(quoted(_name(column)) for column in columns)
    meta = columns[0].model._meta
    return (
        f"INSERT INTO {quoted(meta.db_table)} ({names}) VALUES {', '.join([row] * rows)}"  # noqa: S608 - our own names
        f" RETURNING {quoted(_name(meta.pk))}"
    )


def _change(columns: Sequence[Column], database: BaseDatabaseWrapper) -> str:
    quoted = database.ops.quote_name
    changes = ", ".join(f"{quoted(_name(column))} = %s" for column in columns)
    meta = columns[0].model._meta
    return f"UPDATE {quoted(meta.db_table)} SET {changes} WHERE {quoted(_name(meta.pk))} = %s"  # noqa: S608 - as above


def _name(column: Column) -> str:
    """Return its name in the database, which all our columns have."""
    return str(column.column)
