"""Reads and updates by hand-written SQL: for the statements of every match, and for what Django has no query for.

A match would cost a manager twice as much by Django's queries: 15.7 instead of 4.3 ms on PostgreSQL and a busy machine
(docs/understand/performance.md). New rows are written by ``bulk_create``, which costs hardly more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper


def rows_read(sql: str, *values: int | str | datetime) -> list[Any]:
    """Return the rows of a SELECT without any user input, as tuples; ``%s`` stands in it for each value."""
    database = _database()
    given = [database.ops.adapt_datetimefield_value(one) if isinstance(one, datetime) else one for one in values]
    with database.cursor() as cursor:
        cursor.execute(sql, given)
        return list(cursor.fetchall())


def database_now() -> datetime:
    """Return the time by the clock of the database, which all machines of a site share (1 query in PostgreSQL).

    SQLite runs in this process and has no other clock than this machine.
    """
    if _database().vendor != "postgresql":
        return datetime.now(tz=UTC)
    now: datetime = rows_read("SELECT STATEMENT_TIMESTAMP()")[0][0]
    return now


@contextmanager
def snapshot() -> Iterator[None]:
    """Run a block in a read-only transaction: all its reads see the state of the first one, and no writer waits.

    Must be used outside any transaction. Django's ``atomic`` would not do: in SQLite it is IMMEDIATE here, which keeps
    all others from writing.
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
    """Return the SQL clause that locks the rows of a SELECT; empty in SQLite, where one transaction writes at a time.

    The keys of the rows stay unlocked, as with ``select_for_update(no_key=True)``. Otherwise an insert of rows that
    refer to the locked ones, as the seats of a match refer to versions, would wait when its references are checked.

    Args:
        shared: whether other transactions may hold a shared lock, too; an exclusive one (``select_for_update``) waits
            for all shared ones.
    """
    if not _database().features.has_select_for_update:
        return ""
    return " FOR KEY SHARE" if shared else " FOR NO KEY UPDATE"


def content_lock(*, digest: str, shared: bool = False) -> None:
    """Lock a stored file until the transaction ends; does nothing in SQLite, where one transaction writes at a time.

    Those that use the file take a shared lock, beside which others may hold one; the one that deletes it an exclusive
    lock.
    """
    database = _database()
    if database.vendor != "postgresql":
        return
    function = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [int(digest[:15], 16)])  # 60 bits, what a key of the lock can hold


_EXAMINATION = 1
"""Tells the locks of ``examination_lock`` from others that have two numbers; those of files have one."""


@contextmanager
def examination_lock(*, version: int) -> Iterator[bool]:
    """Hold the lock on the examination of the upload with the key ``version`` in a block; yield whether it was free.

    The lock is not waited for. It belongs to the connection, not to a transaction: unpacking takes seconds, in which no
    row is locked. The database frees it if the process dies. In SQLite, where one process examines uploads, it is
    always free.
    """
    database = _database()
    if database.vendor != "postgresql":
        yield True
        return
    key = [_EXAMINATION, version % 2**31]  # of two versions with one key, one waits for the next round
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", key)
        is_free = bool(cursor.fetchone()[0])
    try:
        yield is_free
    finally:
        if is_free:
            with database.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)


def rows_update(rows: Sequence[models.Model], names: Sequence[str]) -> None:
    """Save the fields ``names`` of rows of one model, by one UPDATE each; sends no signals, like ``bulk_update``."""
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
    """Return the connection itself, since each attribute access through Django's proxy costs time."""
    return connections[DEFAULT_DB_ALIAS]
