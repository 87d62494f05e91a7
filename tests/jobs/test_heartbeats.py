"""The site reads heartbeats as keys, checks them like reports, and answers those whose lease has ended."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import msgspec
import pytest
from celery import Celery
from django.utils import timezone
from redis import Redis
from structlog.contextvars import get_contextvars
from structlog.testing import capture_logs

import arena.celery  # noqa: F401 - finds the handlers
from core.message import Message
from deploy.broker import Broker
from jobs import report_auth
from jobs.celery_app import app
from jobs.coordination import heartbeats_received
from jobs.managers import REPORTS_FEW
from jobs.models import Worker
from jobs.services.heartbeats import heartbeats_handle
from jobs.services.workers import workers_sweep
from matches.models import Match
from matches.services.lifecycle import match_void
from matches.services.match_jobs import MATCHES
from tests.fleet.makers import make_worker
from tests.managing import managing_worker, site_sends_to
from tests.matches.makers import make_version, queue_match, with_replay
from tests.waiting import wait_until
from wire.heartbeats import HEARTBEAT_PREFIX, is_over
from wire.jobs import (
    BUILD_PROGRESS_TASK,
    MATCH_HEARTBEAT_TASK,
    PLAY_QUEUE,
    REPORT_QUEUE,
    WORKER_BEAT_TASK,
    BuildProgress,
    Heartbeat,
    MatchReport,
    SeatReport,
)
from wire.signing import Signature
from wire.transport import application, send
from wire.worker_reports import WorkerBeat
from workers.sending import heartbeat_send

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(broker_url: str) -> Iterator[Redis]:
    """A client of the broker to which the site sends."""
    report_auth._keys.clear()
    app.loader.import_default_modules()  # as a manager does: the handlers
    with site_sends_to(broker_url), Redis.from_url(broker_url) as client:
        yield client


@pytest.fixture
def player(broker: Broker) -> Iterator[Celery]:
    """A worker's application, with the rights of a worker."""
    with application("worker", broker.player_url) as worker:
        yield worker


@pytest.fixture
def match(site: Redis) -> Match:
    """A match that has been handed out."""
    make_worker(name="play@a", processes=2)
    match = queue_match(make_version("ant").pk, make_version("bee").pk)
    match.refresh_from_db()
    assert match.notified_at
    return match


def alive(match: Match) -> Heartbeat:
    return Heartbeat(match.pk, match.lease_token, "play@a", 0.1)


def state(match: Match) -> str:
    match.refresh_from_db()
    return match.state


def test_a_heartbeat_begins_and_renews_a_lease(match: Match, player: Celery) -> None:
    assert not heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    assert heartbeats_handle() == 1
    assert state(match) == Match.State.RUNNING
    Match.objects.update(lease_ends_at=timezone.now())
    heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    heartbeats_handle()
    match.refresh_from_db()
    assert match.lease_ends_at > timezone.now()
    assert heartbeats_handle() == 0, "each is handled once"


def test_no_lease_runs_out_while_its_heartbeat_waits_to_be_read(match: Match, player: Celery) -> None:
    """Managers were busy for longer than a lease."""
    heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    MATCHES.sweep()  # the first sweep after a pause renews all leases
    Match.objects.update(lease_ends_at=timezone.now() - timedelta(seconds=5))
    heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    MATCHES.sweep()
    assert (state(match), match.attempt) == (Match.State.RUNNING, 1)


def test_no_lease_runs_out_while_its_result_waits_among_many(match: Match, player: Celery, site: Redis) -> None:
    """Heartbeats are read before results: leases of matches that had ended ran out, and they were played again."""
    heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    MATCHES.sweep()  # the first sweep after a pause renews all leases
    for reports, expected in ((REPORTS_FEW + 1, (Match.State.RUNNING, 1)), (0, (Match.State.QUEUED, 2))):
        site.delete(REPORT_QUEUE)
        site.lpush(REPORT_QUEUE, *["report"] * reports, "the next sweep")
        site.set(f"listening.{PLAY_QUEUE}", time.time())  # there was no pause
        Match.objects.update(lease_ends_at=timezone.now() - timedelta(seconds=5))
        MATCHES.sweep()
        assert (state(match), match.attempt) == expected


def test_no_worker_is_gone_while_its_beat_waits_to_be_read(site: Redis, player: Celery) -> None:
    make_worker(name="play@pi", last_seen_at=timezone.now() - timedelta(hours=1))
    counts = {"cores": 1, "processes": 1, "busy": 0, "takes_work": True, "uptime_seconds": 1.0}
    who = {"worker": "play@pi", "host": "pi", "broker_user": "player", "version": "0", "backend": "bubblewrap"}
    heartbeat_send(player, WORKER_BEAT_TASK, WorkerBeat(**who, **counts, languages=[], jobs_taken=0, jobs_done=0))
    workers_sweep()
    assert Worker.objects.get(name="play@pi").state == Worker.State.ACTIVE


def test_a_worker_whose_lease_has_ended_is_told_at_once(match: Match, player: Celery, site: Redis) -> None:
    heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    heartbeats_handle()
    token = match.lease_token
    match.refresh_from_db()
    match_void(match=match, reason=Message("match-voided"))
    assert is_over(site, token)
    assert heartbeat_send(player, MATCH_HEARTBEAT_TASK, Heartbeat(match.pk, token, "play@a"))


def test_a_worker_that_missed_it_is_answered_when_it_says_that_it_is_alive(
    match: Match, player: Celery, site: Redis
) -> None:
    late = Heartbeat(match.pk, "f" * 32, "play@a")
    assert not heartbeat_send(player, MATCH_HEARTBEAT_TASK, late)
    heartbeats_handle()
    assert heartbeat_send(player, MATCH_HEARTBEAT_TASK, late)
    version = make_version("cat")
    late_build = BuildProgress(version.pk, "e" * 32, "fetch", worker="play@a")
    heartbeat_send(player, BUILD_PROGRESS_TASK, late_build)
    heartbeats_handle()
    assert heartbeat_send(player, BUILD_PROGRESS_TASK, late_build)


def test_a_heartbeat_that_is_read_after_the_result_is_not_late(match: Match, player: Celery, site: Redis) -> None:
    """Most matches have one. The worker has ended the match, and asks for no answer."""
    heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    seats = [SeatReport(1, 10.0, 1.0, 1.0), SeatReport(2, 5.0, 1.0, 1.0)]
    report = MatchReport(match.pk, match.attempt, match.lease_token, "play@a", 30, seats, None)
    MATCHES.record(report=with_replay(match, report))
    assert state(match) == Match.State.FINISHED
    with capture_logs() as lines:
        heartbeats_handle()
    assert not [line for line in lines if line["event"] == "match_report_late"]
    assert not site.keys("over.*")


def test_what_one_manager_has_taken_and_not_handled_is_little(site: Redis, player: Celery) -> None:
    """Another manager sweeps meanwhile, and would end the leases of a thousand heartbeats that wait here."""
    for number in range(300):
        heartbeat_send(player, MATCH_HEARTBEAT_TASK, Heartbeat(number, f"{number:032x}", "play@a"))
    slow = heartbeats_received(app)
    next(slow)
    assert len(list(heartbeats_received(app))) >= 100


def test_log_lines_after_heartbeats_name_none_of_their_jobs(match: Match, player: Celery) -> None:
    heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    heartbeats_handle()
    assert "match" not in get_contextvars()


def test_a_match_that_waits_in_the_database_leaves_no_key(site: Redis) -> None:
    """An administrator makes thousands of waiting matches void: no worker knows of them."""
    match = queue_match(make_version("ant").pk, make_version("bee").pk)
    Match.objects.update(notified_at=None)
    match.refresh_from_db()
    match_void(match=match, reason=Message("match-voided"))
    assert not site.keys("over.*")


def test_an_unsigned_heartbeat_counts_for_nothing(match: Match, site: Redis) -> None:
    """The attack: somebody who may write keys, but is no user of the broker that the site knows, keeps leases alive."""
    body = msgspec.json.encode(alive(match))
    forged = msgspec.json.encode(Signature("player", "0" * 64))
    for name, signature in (("none", b"null"), ("forged", forged)):
        site.set(f"{HEARTBEAT_PREFIX}.{name}", b"\n".join((MATCH_HEARTBEAT_TASK.encode(), body, signature)))
    assert heartbeats_handle() == 2
    assert state(match) == Match.State.QUEUED


def test_a_heartbeat_that_no_handler_bears_stops_no_other(
    match: Match, player: Celery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: a host writes one each second, and no lease runs out any more, since each sweep begins with them."""

    def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.setitem(report_auth.HEARTBEAT_HANDLERS, BUILD_PROGRESS_TASK, fail)
    for number in range(5):
        heartbeat_send(player, BUILD_PROGRESS_TASK, BuildProgress(1, f"{number:032x}", "fetch", worker="play@a"))
    heartbeat_send(player, MATCH_HEARTBEAT_TASK, alive(match))
    assert heartbeats_handle() == 6
    assert state(match) == Match.State.RUNNING


def test_an_unknown_task_is_left_out(site: Redis) -> None:
    site.set(f"{HEARTBEAT_PREFIX}.x", b"matches.sweep\n{}\nnull")
    assert heartbeats_handle() == 0
    assert site.dbsize() == 0


def test_a_worker_of_an_earlier_release_sends_messages(match: Match, player: Celery, broker_url: str) -> None:
    with managing_worker(broker_url):
        send(player, MATCH_HEARTBEAT_TASK, alive(match))
        wait_until(lambda: state(match) == Match.State.RUNNING, lambda: state(match))


def test_results_are_not_behind_a_thousand_heartbeats(player: Celery, site: Redis) -> None:
    for number in range(1_000):
        heartbeat_send(player, MATCH_HEARTBEAT_TASK, Heartbeat(number, f"{number % 50:032x}", "play@a"))
    assert site.llen(REPORT_QUEUE) == 0
    assert len(list(heartbeats_received(app))) == 50
    assert list(heartbeats_received(app)) == []
