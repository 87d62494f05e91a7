"""The health endpoint against real servers, present and absent."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.files.storage import storages
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings
from redis import Redis
from structlog.testing import capture_logs

from common.queries.cached import cached_clear
from deploy.broker import free_port
from fleet.models import TallyMark
from jobs.files.storage import ARTIFACTS, REPLAYS
from tests.contests.makers import make_contest
from tests.disks import refusing_disk
from tests.fleet.makers import make_worker

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def managed(db: None) -> None:
    """Set the mark of the counters, as if a manager had counted just now."""
    TallyMark.objects.create(pk=1, counted_until=timezone.now())


@pytest.fixture
def told(client: Client, settings: Settings, broker_url: str) -> Callable[[], bytes]:
    """Return a function that asks a site with a broker for its health, and returns the problems it answers."""
    settings.REDIS_URL = broker_url

    def ask() -> bytes:
        response = client.get("/healthz")
        assert response.status_code == 503
        return response.content

    return ask


def test_all_is_well_and_a_probe_leaves_nothing_behind(
    client: Client, settings: Settings, broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = broker_url
    for store in (ARTIFACTS, REPLAYS):
        monkeypatch.setattr(storages[store], "location", str(tmp_path))
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert "no-store" in response.headers["Cache-Control"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("address", ["", "redis://127.0.0.1:{port}"])
def test_a_missing_broker_is_reported_without_its_url(client: Client, settings: Settings, address: str) -> None:
    settings.REDIS_URL = address.format(port=free_port())
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.content.startswith(b"broker: ")
    assert b"127.0.0.1" not in response.content


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("maxmemory", b"its memory is full and it takes no messages"),
        ("maxclients", b"others hold all of its connections"),
        ("min-replicas-to-write", b"ResponseError"),
    ],
)
def test_a_broker_that_refuses_writes_is_reported(
    told: Callable[[], bytes], broker_url: str, setting: str, problem: bytes
) -> None:
    """It answers pings, but accepts no message."""
    with Redis.from_url(broker_url) as broker:
        before = broker.config_get(setting)[setting]
        broker.config_set(setting, "1")
        try:
            assert told().startswith(b"broker: " + problem)
        finally:
            broker.config_set(setting, before)


def test_a_clock_by_which_every_message_is_too_late_is_reported(
    told: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    TallyMark.objects.update(counted_until=timezone.now() - timedelta(hours=1))
    now = time.time()
    with monkeypatch.context() as ahead:
        ahead.setattr("wire.clock.time.time", lambda: now + 3_600)
        clock, beat = told().splitlines()
    assert clock.startswith(b"clock: The clock of this machine is 60 minutes ahead of the broker's")
    assert beat.startswith(b"beat: nothing has been managed for "), "other problems are reported, too"


def test_a_missing_database_and_folders_that_cannot_be_written_are_reported(
    told: Callable[[], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large uploads go through the folder of temporary files."""
    (tmp_path / "replays").write_text("a file where a folder must be")
    no_temporary = b"storage: No such file or directory, in the folder of temporary files (TMPDIR)"

    for target, name, value, problem in (
        (connection, "cursor", Mock(side_effect=DatabaseError), b"database: DatabaseError"),
        (storages[REPLAYS], "location", str(tmp_path / "replays"), b"storage: File exists"),
        (tempfile, "tempdir", str(tmp_path / "gone"), no_temporary),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(target, name, value)
            assert told() == problem


def test_a_nearly_full_disk_is_reported(told: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.files.storage.DISK_SPACE_MIB_MIN", 2**40)
    with capture_logs() as lines:
        assert told().startswith(b"storage: less than ")
    assert [line["event"] for line in lines] == ["unhealthy"], "its log says so, too"
    assert lines[0]["problems"].startswith("storage: less than ")


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ("no inodes", b"storage: No space left on device"),
        ("few inodes", b"storage: fewer than 1000 more files can be made (inodes: `df -i`), no work is handed out"),
        ("read-only", b"storage: Read-only file system"),
    ],
)
def test_a_disk_without_free_inodes_is_reported(
    told: Callable[[], bytes], tmp_path: Path, how: str, problem: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with refusing_disk(tmp_path / "disk", how):
        for store in (ARTIFACTS, REPLAYS):
            monkeypatch.setattr(storages[store], "location", str(tmp_path / "disk" / store))
        assert told() == problem


@pytest.mark.parametrize(
    ("workers", "lost"),
    [
        ([{"state": "gone"}], 1),
        ([{"state": "gone"}, {"self_test": "Its disk is full.", "name": "play@two"}], 2),
        ([{"state": "gone"}, {"tables": 8, "processes": 0, "name": "table@two"}], 1),
        ([{"state": "gone"}, {"state": "draining", "name": "play@two"}], 1),
        ([{"state": "gone"}, {"name": "play@two"}], 0),
        ([{"state": "draining"}], 0),
        ([], 0),
    ],
)
def test_that_no_worker_takes_work_is_told(
    client: Client, settings: Settings, broker_url: str, workers: list[dict[str, Any]], lost: int
) -> None:
    """Not on a site that has none yet, nor where administrators have drained all."""
    settings.REDIS_URL = broker_url
    for fields in workers:
        make_worker(**fields)
    told = client.get("/healthz").content.decode()
    assert told.partition(" are gone")[0] == (f"workers: no worker takes work: {lost}" if lost else "ok")


def test_that_private_contests_wait_for_workers_of_the_sites_own_is_told(
    client: Client, settings: Settings, broker_url: str
) -> None:
    settings.REDIS_URL = broker_url
    make_worker(state="gone")
    make_worker(name="play@guest", broker_user="guest-far")
    cached_clear()
    assert client.get("/healthz").content == b"ok"
    make_contest(visibility="private")
    cached_clear()
    assert b"workers: no worker of the site's own takes work: 1 are gone" in client.get("/healthz").content


def test_a_process_that_answers_is_alive_whatever_is_away(
    client: Client, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.REDIS_URL = ""
    with django_assert_num_queries(0):
        assert client.get("/livez").content == b"ok"
