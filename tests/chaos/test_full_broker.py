"""An invited host fills the broker or takes its connections: what works meanwhile, and that all works afterwards."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
from django.test import Client
from pytest_django import Settings

from arena.timetable import FREE_MEMORY_TASK, Timetable
from deploy.broker import Broker, broker_running
from fleet.services.hosts import host_invite, host_join, host_revoke
from fleet.services.tallies import tallies_count
from jobs.celery_app import app
from matches.models import Attempt, Match
from tests.ladder.makers import an_upload, make_user
from tests.managing import managing_worker
from tests.matches.makers import make_running, with_replay
from tests.waiting import wait_until
from wire.jobs import MATCH_RESULT_TASK, REPORT_QUEUE, MatchReport, SeatReport
from wire.live import LIVE_PREFIX, live_prefix
from wire.transport import application, send

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.waits]

MEMORY_MIB = 16


@pytest.fixture
def small_broker(tmp_path: Path, settings: Settings) -> Iterator[Broker]:
    """A broker that is soon full, and a site that uses it."""
    passwords = {"site_password": "site", "player_password": "player"}
    with broker_running(tmp_path / "broker", **passwords, memory_mib=MEMORY_MIB) as running:
        settings.REDIS_URL = running.site_url
        settings.GAMES = ["kakomimasu"]
        yield running


@pytest.fixture
def managed(small_broker: Broker) -> Iterator[redis.Redis]:
    """Run a managing worker; yield a connection to the broker as the site's user."""
    with managing_worker(small_broker.site_url), redis.Redis.from_url(small_broker.site_url) as site:
        yield site


@pytest.fixture
def evil(managed: redis.Redis) -> redis.Redis:
    """Return a connection to the broker as an invited host."""
    return redis.Redis.from_url(host_join(secret=host_invite(name="evil", actor=None).partition("#")[2]).redis_url)


def filled(write: Callable[[int], object]) -> int:
    """Call ``write`` until the broker is full; return how many calls succeeded."""
    for number in itertools.count():
        try:
            write(number)
        except redis.OutOfMemoryError:
            return number
    raise AssertionError


@contextmanager
def flooding(host: redis.Redis, *, size: int) -> Iterator[None]:
    """Have a host add reports faster than managers take them, until the block ends or the host is shut out."""
    ended, full = threading.Event(), threading.Event()

    def flood() -> None:
        while not ended.is_set():
            try:
                host.lpush(REPORT_QUEUE, *["x" * size] * 10)
            except redis.OutOfMemoryError:
                full.set()
            except redis.RedisError:
                return

    thread = threading.Thread(target=flood, daemon=True)
    thread.start()
    assert full.wait(60), "it never is full"
    try:
        yield
    finally:
        ended.set()
        thread.join()


def handed_out() -> Match:
    """Make a match that an honest worker plays."""
    match = make_running()
    Match.objects.filter(pk=match.pk).update(attempt=1)
    Attempt.objects.create(match=match, number=1, lease_token=match.lease_token)
    match.refresh_from_db()
    return match


def result_of(match: Match) -> MatchReport:
    seats = [SeatReport(1, 10.0, 100.0, 9.0), SeatReport(2, 5.0, 90.0, 8.0)]
    return with_replay(match, MatchReport(match.pk, match.attempt, match.lease_token, "honest", 30, seats, None))


@pytest.mark.test_all
def test_a_full_broker_loses_no_result_and_stops_no_page(
    small_broker: Broker, managed: redis.Redis, evil: redis.Redis, client: Client
) -> None:
    match = handed_out()
    report = result_of(match)
    client.force_login(make_user("root", is_staff=True))
    with application("honest", small_broker.player_url) as honest, flooding(evil, size=100):
        sending = threading.Thread(target=send, args=(honest, MATCH_RESULT_TASK, report), daemon=True)
        sending.start()
        for page in ("/", "/games/kakomimasu/", f"/matches/{match.pk}/", "/mine/"):
            assert client.get(page).status_code == 200, page
        wait_until(lambda: b"memory is full" in client.get("/fleet/").content, lambda: managed.info("memory"))
        form = {"name": "Moat", "contest": "kakomimasu", "upload": an_upload()}
        assert client.post("/upload/", form).status_code == 302
        host_revoke(name="evil", actor=None)
        sending.join(60)
        assert not sending.is_alive()
        wait_until(lambda: Match.objects.get(pk=match.pk).state == Match.State.FINISHED, lambda: managed.info("memory"))
    tallies_count()  # nothing tells the managers to: there is no timetable
    wait_until(lambda: client.get("/healthz").status_code == 200, lambda: client.get("/healthz").content)
    assert managed.llen(REPORT_QUEUE) == 0


@pytest.mark.test_all
def test_a_manager_that_starts_on_a_full_broker_empties_its_queues(
    small_broker: Broker,
) -> None:
    """Managers could neither declare their queues nor store the messages they had taken, and restarted for ever."""
    match = handed_out()
    with (
        redis.Redis.from_url(small_broker.player_url) as host,
        application("honest", small_broker.player_url) as honest,
    ):
        send(honest, MATCH_RESULT_TASK, result_of(match))
        assert filled(lambda _: host.lpush(REPORT_QUEUE, "x" * 10_000)) > 1
        with managing_worker(small_broker.site_url, emptied=False):
            wait_until(lambda: not host.llen(REPORT_QUEUE), lambda: host.llen(REPORT_QUEUE))
    assert Match.objects.get(pk=match.pk).state == Match.State.FINISHED


def test_managers_come_back_once_others_no_longer_hold_all_connections(
    small_broker: Broker, managed: redis.Redis, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """The attack needs no password: a broker that is short of memory also ends connections of managers."""
    match = handed_out()
    managed.config_set("maxclients", 1)
    managed.client_kill_filter(user="site", skipme=True)
    wait_until(lambda: "Cannot connect to" in caplog.text, lambda: caplog.text)
    assert client.get("/healthz").content.startswith(b"broker: others hold all of its connections")
    managed.config_set("maxclients", 10_000)
    with application("honest", small_broker.player_url) as honest:
        send(honest, MATCH_RESULT_TASK, result_of(match))
        wait_until(lambda: Match.objects.get(pk=match.pk).state == Match.State.FINISHED, lambda: caplog.text)


def test_streams_that_never_end_make_room_though_no_message_comes_through(
    small_broker: Broker, managed: redis.Redis, evil: redis.Redis, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Celery beat deletes them itself, since a full broker also refuses the message for a manager."""
    monkeypatch.setattr("matches.services.streams.STREAM_SECONDS", 1)
    monkeypatch.setattr(Timetable, "producer", None)
    assert filled(lambda number: evil.xadd(f"{live_prefix('evil')}{number}", {"lines": "x" * (1 << 20)})) > 1
    timetable = Timetable(app, schedule_filename=str(tmp_path / "schedule"))
    entry = next(entry for entry in timetable.schedule.values() if entry.task == FREE_MEMORY_TASK)
    timetable.apply_entry(entry)
    wait_until(lambda: not managed.keys(f"{LIVE_PREFIX}*"), lambda: managed.info("memory"))
