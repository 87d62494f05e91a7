"""Health checks while managers or the timetable stand still, with real processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
import redis
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from deploy.broker import Broker
from deploy.servers import postgres_possible, postgres_running
from deploy.settings import ROOT
from fleet.metrics import metrics_text
from fleet.models import TallyMark
from fleet.services.hosts import host_invite, host_join, hosts_restore
from jobs.celery_app import MANAGE_QUEUE, app
from jobs.coordination import MANAGER_FAULT_KEY
from tests.disks import small_disk
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_user
from tests.managing import managing_worker
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.waits]

BEAT = ("beat", "--loglevel", "WARNING", "--pidfile=", "--schedule")
MANAGE = ("worker", "--without-gossip", "--without-mingle", "--without-heartbeat", "-Q", "report,manage", "-P", "solo")
AN_HOUR_AHEAD = "import time; now = time.time; time.time = lambda: now() + 3_600\n"


def database_url() -> str:
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{told['NAME']}"
    return f"postgresql://{told['USER']}:{quote(told['PASSWORD'])}@{told['HOST']}:{told['PORT']}/{told['NAME']}"


@contextmanager
def managing(broker: Broker, *command: str, folder: Path, before: str = "") -> Iterator[subprocess.Popen[bytes]]:
    """Run a process of ``arena.celery``, after some lines of Python."""
    code = f"{before}import sys; from celery.__main__ import main; sys.argv[0] = 'celery'; main()"
    env = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "arena.settings.test",
        "DATABASE_URL": database_url(),
        "REDIS_URL": broker.site_url,
    }
    argv = [sys.executable, "-c", code, "-q", "-A", "arena.celery", *command]
    with (folder / f"{command[0]}.log").open("ab") as log:
        process = subprocess.Popen(argv, cwd=ROOT, env=env, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def count_back(seconds: int) -> None:
    """Move the mark of the counters back, as if that time had passed since the last count."""
    TallyMark.objects.update(counted_until=timezone.now() - timedelta(seconds=seconds))


def failing(metrics: bytes) -> list[str]:
    return [
        line.split('"')[1]
        for line in metrics.decode().splitlines()
        if line.startswith("banzuke_part_fails{") and line.endswith(" 1.0")
    ]


@pytest.mark.test_all
def test_a_killed_manager_and_an_ended_timetable_are_distinguished(
    own_broker: Broker, client: Client, tmp_path: Path
) -> None:
    client.force_login(make_user("root", is_staff=True))

    def health() -> str:
        return client.get("/healthz").content.decode()

    def is_well() -> bool:
        return health() == "ok"

    assert health().startswith("beat: nothing has been managed yet, and nothing waits")
    with redis.Redis.from_url(own_broker.site_url) as broker:
        with managing(own_broker, *BEAT, str(tmp_path / "schedule"), folder=tmp_path):
            with managing(own_broker, *MANAGE, folder=tmp_path):
                wait_until(is_well, health)
            wait_until(lambda: broker.llen(MANAGE_QUEUE) > 0, health)
            make_worker(last_seen_at=timezone.now() - timedelta(seconds=93))
            count_back(93)
            assert health().startswith("manage: nothing has been managed for 93 s, and ")
            assert "Restart banzuke-manage@1" in health()
            assert failing(metrics_text()) == ["manage"]
            page = client.get("/fleet/").content.decode()
            assert "Restart banzuke-manage@1" in page
            assert "not heard" in page
        broker.delete(MANAGE_QUEUE, "report")  # what the timetable still sent
        with managing(own_broker, *MANAGE, folder=tmp_path):
            count_back(93)
            assert health().startswith("beat: nothing has been managed for 93 s")
            assert "Restart banzuke-beat" in health()
            assert failing(metrics_text()) == ["beat"]


def test_a_backlog_of_reports_asks_for_managers(own_broker: Broker, client: Client) -> None:
    """It stood at 1,616 for seven minutes with all well, while the alert asked for more workers."""
    client.force_login(make_user("root", is_staff=True))
    TallyMark.objects.create(pk=1, counted_until=timezone.now() + timedelta(hours=1))
    worker = make_worker(processes=2, busy=2)
    with redis.Redis.from_url(own_broker.site_url) as broker:
        broker.lpush("report", *["report"] * 1_616)
        assert "reports" not in failing(metrics_text()), "matches of a whole fleet may end together"
        broker.set("reports.since", time.time() - 420)
        told = client.get("/healthz").content.decode()
        assert told.startswith("reports: 1616 reports of workers wait for a manager, for 42")
        assert "more workers would make it worse" in told
        assert "1616 reports" in client.get("/fleet/").content.decode()
        scaled = client.post(f"/fleet/workers/{worker.pk}/scale/", {"processes": "1"}, follow=True)
        assert "Start another manager: more processes that play do not help." in scaled.content.decode()
        shown = metrics_text().decode()
        assert failing(shown.encode()) == ["reports"]
        for line in ("banzuke_reports_waiting 1616.0", "banzuke_managers 0.0", "banzuke_managers_wanted 2.0"):
            assert f"\n{line}\n" in shown
        broker.ltrim("report", 0, 99)
        assert failing(metrics_text()) == []


@pytest.mark.test_all
def test_a_manager_whose_clock_is_an_hour_wrong_is_reported(own_broker: Broker, client: Client, tmp_path: Path) -> None:
    with (
        managing(own_broker, *BEAT, str(tmp_path / "schedule"), folder=tmp_path),
        managing(own_broker, *MANAGE, folder=tmp_path, before=AN_HOUR_AHEAD),
    ):
        said = "manage: The clock of this machine is 60 minutes ahead of the broker's"
        wait_until(lambda: said in client.get("/healthz").content.decode(), lambda: client.get("/healthz").content)


def test_a_database_without_disk_space_is_reported(own_broker: Broker, client: Client) -> None:
    """Reads work, so the site seemed healthy, while nothing could be paired and no result be recorded."""
    if not postgres_possible():
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    TallyMark.objects.create(pk=1, counted_until=timezone.now())
    Path(name := tempfile.mkdtemp()).chmod(0o711)  # the database's account must reach its folder
    with small_disk(Path(name)), postgres_running(Path(name) / "p") as url:
        with psycopg.connect(url) as full:
            full.execute("CREATE TABLE lines (words text)")

        @app.task(name="tests.write")
        def write() -> None:
            with psycopg.connect(url) as full:
                try:
                    full.execute("INSERT INTO lines SELECT repeat('words', 100) FROM generate_series(1, 1000000)")
                except psycopg.OperationalError as error:
                    raise OperationalError from error  # as Django does

        with managing_worker(own_broker.site_url), redis.Redis.from_url(own_broker.site_url) as broker:
            write.apply_async(queue=MANAGE_QUEUE)
            wait_until(lambda: bool(broker.exists(MANAGER_FAULT_KEY)), lambda: broker.keys())
    Path(name).rmdir()
    assert client.get("/healthz").content.startswith(b"manage: the database's disk is full: free space on it")


def test_a_broker_that_has_lost_its_users_is_reported(own_broker: Broker, client: Client) -> None:
    TallyMark.objects.create(pk=1, counted_until=timezone.now())
    host_join(secret=host_invite(name="north", actor=None).partition("#")[2])
    make_worker("play@one", broker_user="player")
    assert client.get("/healthz").content == b"ok"
    with redis.Redis.from_url(own_broker.site_url) as broker:
        broker.acl_deluser("host-north", "player")
        told = client.get("/healthz").content.decode()
        assert told.startswith("broker users: the broker has lost 2 of the users that workers sign in as")
        assert "north" not in told, "anybody may read it"
        hosts_restore()
        assert "has lost 1 of" in client.get("/healthz").content.decode()


@pytest.mark.parametrize("denied", ["acl", "get", "set"])
def test_a_broker_that_denies_the_site_a_command_is_reported(own_broker: Broker, client: Client, denied: str) -> None:
    """As with a broker that somebody else runs; /healthz, the metrics and *Fleet* failed with an error."""
    with redis.Redis.from_url(own_broker.site_url) as broker:
        broker.execute_command("ACL", "SETUSER", "site", f"-{denied}")
    response = client.get("/healthz")
    assert response.status_code == 503
    assert "broker: it denies the site's user a command" in response.content.decode()
    told = [line.partition(b": ")[0] for line in response.content.splitlines()]
    assert told == ([b"beat", b"broker"] if denied == "acl" else [b"broker"]), "a standstill is reported besides"
    assert b'banzuke_part_fails{part="broker"} 1.0' in metrics_text()
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    assert client.get("/fleet/").status_code == 200
