"""Rows written without the query compiler are those that Django would have written."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import AuditEntry
from common.queries.sql import locking, rows_insert, rows_read, rows_update
from jobs.models import Worker

pytestmark = [pytest.mark.database, pytest.mark.django_db]

Assertion = Callable[..., AbstractContextManager[object]]
NOW = datetime(2026, 3, 1, 12, 30, 15, 123456, tzinfo=UTC)


def a_worker(name: str, **fields: object) -> Worker:
    how = {"host": "h", "version": "1", "backend": "docker", "cores": 4, "processes": 2, "started_at": NOW}
    return Worker(name=name, last_seen_at=NOW, **{**how, **fields})


def test_inserted_rows_read_as_they_were_made_and_have_their_keys() -> None:
    workers = [a_worker("a", languages=["python", "c"], load=1.5, last_taken_at=None), a_worker("b", cores=8)]
    rows_insert(workers)
    assert [worker.pk for worker in workers] == list(Worker.objects.order_by("name").values_list("pk", flat=True))
    for worker in workers:
        read = Worker.objects.get(pk=worker.pk)
        names = [field.attname for field in Worker._meta.concrete_fields]
        assert [getattr(read, name) for name in names] == [getattr(worker, name) for name in names]


def test_an_inserted_row_can_be_saved_again() -> None:
    worker = a_worker("a")
    rows_insert([worker])
    worker.host = "elsewhere"
    worker.save()
    assert list(Worker.objects.values_list("host", flat=True)) == ["elsewhere"]


def test_fields_that_note_the_moment_are_filled() -> None:
    before = timezone.now()
    rows_insert([AuditEntry(act="look", target="here")])
    assert before <= AuditEntry.objects.get().at <= timezone.now()


def test_more_rows_than_one_statement_takes() -> None:
    workers = [a_worker(f"worker {number:04}") for number in range(1_100)]
    rows_insert(workers)
    assert len({worker.pk for worker in workers}) == Worker.objects.count() == 1_100
    assert Worker.objects.get(pk=workers[1_050].pk).name == "worker 1050"


def test_a_row_that_may_not_be_leaves_none_of_its_statement() -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        rows_insert([a_worker("a"), a_worker("b"), a_worker("a")])
    assert not Worker.objects.exists()


def test_updates_change_these_fields_of_these_rows() -> None:
    workers = [a_worker("a"), a_worker("b"), a_worker("c")]
    rows_insert(workers)
    for worker in workers:
        worker.languages, worker.load, worker.last_taken_at, worker.host = ["go"], 0.25, NOW, "not saved"
    rows_update(workers[:2], ["languages", "load", "last_taken_at"])
    rows = Worker.objects.order_by("name").values_list("languages", "load", "last_taken_at", "host")
    assert list(rows) == [(["go"], 0.25, NOW, "h")] * 2 + [([], None, None, "h")]


def test_no_rows_cost_no_query(django_assert_num_queries: Assertion) -> None:
    with django_assert_num_queries(0):
        rows_insert([])
        rows_update([], ["host"])


def test_reading_gives_a_tuple_for_each_row() -> None:
    rows_insert([a_worker("a", cores=2), a_worker("b", cores=8)])
    assert rows_read("SELECT name, cores FROM jobs_worker WHERE cores > %s AND host = %s", 4, "h") == [("b", 8)]


def test_rows_are_locked_where_the_database_can() -> None:
    rows_insert([a_worker("a")])
    assert (locking() == " FOR NO KEY UPDATE") is (connection.vendor == "postgresql")
    with transaction.atomic():
        workers = Worker.objects.raw("SELECT * FROM jobs_worker" + locking())  # noqa: S608 - all text is ours
        assert [worker.name for worker in workers] == ["a"]
