"""A worker whose disk is full."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from structlog.testing import capture_logs

from tests.workers.conftest import GOOD_BOT, FileSite, build_job, play_job
from tests.workers.processes import ROOT, worker_environment
from wire.transport import JOB_EXPIRES_SECONDS
from workers import disk_space
from workers.artifacts import ArtifactCache, Transfer
from workers.disk_space import FREE_MIB_MIN, disk_space_awaited, disk_space_fault


class Disk:
    """A disk that has free space again after a while, and a clock that only sleeping advances."""

    def __init__(self, full_seconds: float) -> None:
        self.now, self.full_seconds = 0.0, full_seconds

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def usage(self, _folder: object) -> SimpleNamespace:
        return SimpleNamespace(free=(FREE_MIB_MIN << 20) - (self.now < self.full_seconds))


def disk(monkeypatch: pytest.MonkeyPatch, folder: Path, *, full_seconds: float) -> Disk:
    made = Disk(full_seconds)
    monkeypatch.setenv("WORKER_CACHE", str(folder))
    monkeypatch.setattr(disk_space, "time", made)
    monkeypatch.setattr(shutil, "disk_usage", made.usage)
    return made


def test_it_waits_for_disk_space_and_logs_once_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    full = disk(monkeypatch, tmp_path, full_seconds=300)
    assert f"160 MiB are free in {tmp_path}: free disk space" in disk_space_fault()
    with capture_logs() as lines:
        assert disk_space_awaited()
    assert full.now == 300
    assert [line["event"] for line in lines] == ["disk_full"]
    assert disk_space_fault() == ""
    full = disk(monkeypatch, tmp_path, full_seconds=10**6)
    assert not disk_space_awaited(), "by then the job has expired"
    assert full.now == JOB_EXPIRES_SECONDS


def test_the_cache_folder_may_be_deleted_to_free_disk_space(
    site: FileSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("WORKER_CACHE", str(folder))
    cache = ArtifactCache(folder, Transfer())
    job = play_job(site, GOOD_BOT, GOOD_BOT)
    for _ in range(2):
        assert disk_space_fault() == ""
        assert (cache.root(job.seats[0].artifact_url, job.seats[0].artifact_digest) / "main.py").exists()
        shutil.rmtree(folder)


TAKES = """
import json, sys
from workers import tasks
tasks.disk_space_awaited = lambda: print("waits")
tasks.sending_heartbeats = None
tasks.site_key = lambda: type("Key", (), {"check": lambda *job: None})
jobs = json.loads(sys.argv[1])
tasks.match_play_task(json.dumps(jobs[0]).encode())
tasks.version_build_task(json.dumps(jobs[1]).encode())
"""


def test_no_heartbeat_is_sent_for_a_job_before_there_is_disk_space(site: FileSite, tmp_path: Path) -> None:
    """In a separate process, since importing a worker's application reads environment variables."""
    jobs = msgspec.json.encode([play_job(site, GOOD_BOT, GOOD_BOT), build_job(site, {"main.py": GOOD_BOT})]).decode()
    env = worker_environment("redis://localhost:1/0", tmp_path)
    command = [sys.executable, "-c", TAKES, jobs]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("waits\nwaits\n", "")
