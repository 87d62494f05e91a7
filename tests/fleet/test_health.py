"""The health endpoint against real servers, present and absent."""

from __future__ import annotations

import tempfile
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.fixtures import Settings
from redis import Redis
from structlog.testing import capture_logs

from deploy.broker import free_port
from fleet.models import TallyMark
from jobs.files.storage import ARTIFACTS, REPLAYS, stores_probe
from tests.disks import refusing_disk

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def managed(db: None) -> None:
    """Set the mark of the counters, as if a manager had counted just now."""
    TallyMark.objects.create(pk=1, counted_until=timezone.now())


def test_all_is_well(client: Client, settings: Settings, broker_url: str) -> None:
    settings.REDIS_URL = broker_url
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.parametrize("address", ["", "redis://127.0.0.1:{port}"])
def test_a_missing_broker_is_reported_without_its_url(client: Client, settings: Settings, address: str) -> None:
    settings.REDIS_URL = address.format(port=free_port())
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.content.startswith(b"broker: ")
    assert b"127.0.0.1" not in response.content


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("maxmemory", b"its memory is full and it takes no messages"),
        ("maxclients", b"others hold all of its connections"),
        ("min-replicas-to-write", b"ResponseError"),
    ],
)
def test_a_broker_that_refuses_writes_is_reported(
    client: Client, settings: Settings, broker_url: str, setting: str, told: bytes
) -> None:
    """It answers pings, but accepts no message."""
    settings.REDIS_URL = broker_url
    with Redis.from_url(broker_url) as broker:
        before = broker.config_get(setting)[setting]
        broker.config_set(setting, "1")
        try:
            response = client.get("/healthz")
        finally:
            broker.config_set(setting, before)
    assert response.status_code == 503
    assert response.content.startswith(b"broker: " + told)


def test_a_clock_by_which_every_message_is_too_late_is_reported(
    client: Client, settings: Settings, broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = broker_url
    TallyMark.objects.update(counted_until=timezone.now() - timedelta(hours=1))
    now = time.time()
    with monkeypatch.context() as ahead:
        ahead.setattr("wire.clock.time.time", lambda: now + 3_600)
        response = client.get("/healthz")
    assert response.status_code == 503
    assert response.content.startswith(b"clock: The clock of this machine is 60 minutes ahead of the broker's")
    assert b"\nbeat: nothing has been managed for " in response.content, "other problems are reported, too"


def test_a_missing_database_is_reported(
    client: Client, settings: Settings, broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise DatabaseError

    settings.REDIS_URL = broker_url
    monkeypatch.setattr("fleet.health.connection.cursor", gone)
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (503, b"database: DatabaseError")


def test_a_store_that_cannot_be_written_is_reported(
    client: Client, settings: Settings, broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "replays").write_text("a file where a folder must be")
    settings.REDIS_URL = broker_url
    monkeypatch.setattr(storages[REPLAYS], "location", str(tmp_path / "replays"))
    response = client.get("/healthz")
    assert (response.status_code, response.content) == (503, b"storage: File exists")


def test_a_folder_of_temporary_files_that_cannot_be_written_is_reported(
    client: Client, settings: Settings, broker_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Large uploads go through this folder; *Fleet* and /healthz reported no problem while all of them failed."""
    settings.REDIS_URL = broker_url
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    response = client.get("/healthz")
    expected = b"storage: No such file or directory, in the folder of temporary files (TMPDIR)"
    assert (response.status_code, response.content) == (503, expected)


def test_a_nearly_full_disk_is_reported(
    client: Client, settings: Settings, broker_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = broker_url
    monkeypatch.setattr("jobs.files.storage.DISK_SPACE_MIB_MIN", 2**40)
    with capture_logs() as lines:
        response = client.get("/healthz")
    assert response.status_code == 503
    assert response.content.startswith(b"storage: less than ")
    assert [line["event"] for line in lines] == ["unhealthy"], "its log says so, too"
    assert lines[0]["problems"].startswith("storage: less than ")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("no inodes", b"storage: No space left on device"),
        ("few inodes", b"storage: fewer than 1000 more files can be made (inodes: `df -i`), no work is handed out"),
        ("read-only", b"storage: Read-only file system"),
    ],
)
def test_a_disk_without_free_inodes_is_reported(
    client: Client,
    settings: Settings,
    broker_url: str,
    tmp_path: Path,
    how: str,
    told: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings.REDIS_URL = broker_url
    with refusing_disk(tmp_path / "disk", how):
        for store in (ARTIFACTS, REPLAYS):
            monkeypatch.setattr(storages[store], "location", str(tmp_path / "disk" / store))
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (503, told)


def test_a_probe_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for store in (ARTIFACTS, REPLAYS):
        monkeypatch.setattr(storages[store], "location", str(tmp_path))
    stores_probe()
    assert list(tmp_path.iterdir()) == []


def test_a_process_that_answers_is_alive_whatever_is_away(
    client: Client, settings: Settings, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    settings.REDIS_URL = ""
    with django_assert_num_queries(0):
        assert client.get("/livez").content == b"ok"
