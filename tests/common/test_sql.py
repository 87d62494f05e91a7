"""Hand-written SQL reads and updates rows as Django does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime

import pytest
from django.db import connection, transaction

from common.queries.sql import lock_clause, rows_read, rows_update
from jobs.models import Worker

pytestmark = [pytest.mark.database, pytest.mark.django_db]

Assertion = Callable[..., AbstractContextManager[object]]
NOW = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)


def a_worker(name: str, **fields: object) -> Worker:
    how = {"host": "h", "version": "1", "backend": "docker", "cores": 4, "processes": 2, "started_at": NOW}
    return Worker(name=name, last_seen_at=NOW, **{**how, **fields})


def test_updates_change_only_the_named_fields_of_the_given_rows() -> None:
    workers = [a_worker("a"), a_worker("b"), a_worker("c")]
    Worker.objects.bulk_create(workers)
    for worker in workers:
        worker.languages, worker.load, worker.last_taken_at, worker.host = ["go"], 0.25, NOW, "not saved"
    rows_update(workers[:2], ["languages", "load", "last_taken_at"])
    rows = Worker.objects.order_by("name").values_list("languages", "load", "last_taken_at", "host")
    assert list(rows) == [(["go"], 0.25, NOW, "h")] * 2 + [([], None, None, "h")]


def test_reading_returns_a_tuple_for_each_row() -> None:
    Worker.objects.bulk_create([a_worker("a", cores=2), a_worker("b", cores=8)])
    assert rows_read("SELECT name, cores FROM jobs_worker WHERE cores > %s AND host = %s", 4, "h") == [("b", 8)]


def test_rows_are_locked_where_the_database_can() -> None:
    a_worker("a").save()
    assert (lock_clause() == " FOR NO KEY UPDATE") is (connection.vendor == "postgresql")
    with transaction.atomic():
        workers = Worker.objects.raw("SELECT * FROM jobs_worker" + lock_clause())  # noqa: S608 - all text is ours
        assert [worker.name for worker in workers] == ["a"]
