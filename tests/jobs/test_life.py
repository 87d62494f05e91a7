"""What the lives of all kinds of leased jobs have in common: each ends once, whatever workers report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from core.message import said
from exhibitions.services.dispatching import TABLES
from jobs.leases import ATTEMPTS_MAX, Leased
from jobs.models import Worker
from jobs.services import life
from jobs.services.life import JobLife
from ladder.models import BotVersion
from ladder.services.builds import BUILDS, build_enqueue
from matches.models import Match
from matches.services.match_jobs import MATCHES
from tests.exhibitions.makers import make_table
from tests.fleet.makers import make_worker
from tests.ladder import makers
from tests.ladder.makers import make_user
from tests.ladder.sweeps import sweeper
from tests.matches.makers import make_version, queue_match
from tests.workshop.makers import make_try
from wire.jobs import (
    BuildProgress,
    BuildReport,
    Heartbeat,
    MatchReport,
    TryProgress,
    TryReport,
    WireMessage,
)
from workshop.models import Try
from workshop.services.tries import TRIES

pytestmark = pytest.mark.django_db

WORKER, FAULT = "play@one", said("The disk is full.")


@dataclass(frozen=True)
class Kind:
    """A kind of jobs, with rows and reports of its own."""

    life: JobLife[Any, Any, Any]
    make: Callable[[], Leased]
    progress: Callable[[Leased], Any]
    failed: Callable[[Leased], Any]
    """Returns the report of a platform fault."""
    given_up: str
    attempts: int = ATTEMPTS_MAX
    """How many attempts it has."""


def queued_build() -> BotVersion:
    version = makers.make_version(makers.make_bot("newcomer"), state="uploaded", artifact_digest="", language="")
    build_enqueue(version=version)
    return version


def heartbeat(match: Leased) -> Heartbeat:
    return Heartbeat(match.pk, match.lease_token, WORKER)


def match_failed(match: Leased) -> MatchReport:
    return MatchReport(match.pk, match.attempt, match.lease_token, WORKER, 0, [], None, platform_fault=FAULT)


KINDS = {
    "match": Kind(
        MATCHES,
        lambda: queue_match(make_version("Alpha").pk, make_version("Beta").pk),
        heartbeat,
        match_failed,
        Match.State.VOID,
    ),
    # Its players' answers are lost with the worker.
    "table": Kind(TABLES, lambda: make_table().match, heartbeat, match_failed, Match.State.VOID, attempts=1),
    "build": Kind(
        BUILDS,
        queued_build,
        lambda version: BuildProgress(version.pk, version.lease_token, "fetch", WORKER),
        lambda version: BuildReport(version.pk, version.lease_token, WORKER, platform_fault=FAULT),
        BotVersion.State.FAILED,
    ),
    "try": Kind(
        TRIES,
        lambda: make_try(make_user("hana")),
        lambda tried: TryProgress(tried.pk, tried.lease_token, "fetch", WORKER),
        lambda tried: TryReport(tried.pk, tried.lease_token, WORKER, platform_fault=FAULT),
        Try.State.FAILED,
    ),
}


@pytest.fixture(params=KINDS.values(), ids=list(KINDS))
def kind(request: pytest.FixtureRequest) -> Kind:
    return request.param


@pytest.fixture
def row(kind: Kind) -> Leased:
    """A job that waits for a worker."""
    return kind.make()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tokens of the jobs that were sent."""
    tokens: list[str] = []

    def send(_app: object, _task: str, jobs: Sequence[Any], *, own: bool) -> None:
        tokens.extend(job.lease_token for job in jobs)

    monkeypatch.setattr(life, "jobs_send", send)
    return tokens


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tokens of the reports whose workers were told that their lease has ended."""
    tokens: list[str] = []
    monkeypatch.setattr(life, "lease_end_announce", lambda *, lease_token: tokens.append(lease_token))
    return tokens


def begin(kind: Kind, row: Leased) -> None:
    row.refresh_from_db()
    kind.life.heartbeat(report=kind.progress(row))
    row.refresh_from_db()


def silence(row: Leased) -> None:
    """Set the end of the lease to the past."""
    type(row).objects.filter(pk=row.pk).update(lease_ends_at=timezone.now() - timedelta(seconds=1))


def test_a_message_is_sent_as_long_as_the_job_waits(
    kind: Kind, row: Leased, sent: list[str], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    row.refresh_from_db()
    for count in (1, 2, 2):
        with django_capture_on_commit_callbacks(execute=True):
            kind.life.notify([10**6, row.pk])
        assert sent == [row.lease_token] * count
        if count == 2:
            begin(kind, row)


def test_a_heartbeat_begins_and_renews(kind: Kind, row: Leased) -> None:
    begin(kind, row)
    assert list(kind.life.running.all()) == [row]
    silence(row)
    begin(kind, row)
    assert row.lease_ends_at > timezone.now()
    assert row.attempt == 1


def test_a_job_whose_worker_is_silent_is_lost(kind: Kind, row: Leased, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = sweeper(monkeypatch, kind.life.sweep)
    begin(kind, row)
    token = row.lease_token
    sweep()
    row.refresh_from_db()
    assert row.lease_token == token
    silence(row)
    sweep(listened=False)
    row.refresh_from_db()
    assert row.lease_token == token, "nobody could be heard"
    silence(row)
    sweep()
    row.refresh_from_db()
    assert row.lease_token != token
    assert list(kind.life.queued.all()) == ([row] if kind.attempts > 1 else [])


def test_a_job_is_given_up_after_some_faults(kind: Kind, row: Leased) -> None:
    for attempt in range(1, kind.attempts + 1):
        begin(kind, row)
        assert row.attempt == attempt
        report = kind.failed(row)
        assert kind.life.record(report=report)
        assert kind.life.record(report=report) is None, "it has come twice"
    row.refresh_from_db()
    assert (row.state, row.lease_token) == (kind.given_up, "")


def test_a_report_with_another_token_counts_for_nothing(kind: Kind, row: Leased, ended: list[str]) -> None:
    begin(kind, row)
    late = [kind.progress(row), kind.failed(row)]
    kind.life.record(report=late[1])
    row.refresh_from_db()
    after = row.state, row.attempt, row.lease_token
    for report in late:
        kind.life.heartbeat(report=report) if report is late[0] else kind.life.record(report=report)
    row.refresh_from_db()
    assert (row.state, row.attempt, row.lease_token) == after
    assert ended == [report.lease_token for report in late]


@pytest.mark.parametrize("tells", ["progress", "failed"])
def test_what_a_quarantined_worker_has_goes_to_others_and_costs_no_attempt(kind: Kind, row: Leased, tells: str) -> None:
    make_worker(WORKER, state=Worker.State.QUARANTINED)
    for _ in range(ATTEMPTS_MAX + 1):
        row.refresh_from_db()
        if row.lease_token:
            handle = kind.life.heartbeat if tells == "progress" else kind.life.record
            handle(report=getattr(kind, tells)(row))
    assert list(kind.life.queued.all()) == ([row] if kind.attempts > 1 else [])
    assert list(kind.life.running.all()) == []


def test_all_that_a_worker_has_is_taken_back(kind: Kind, row: Leased) -> None:
    begin(kind, row)
    assert kind.life.take_back_all(worker="play@another") == 0
    assert kind.life.take_back_all(worker=WORKER) == 1
    assert kind.life.take_back_all(worker=WORKER) == 0
    assert list(kind.life.running.all()) == []


def test_a_report_of_a_row_that_is_gone_is_dropped(kind: Kind, row: Leased, ended: list[str]) -> None:
    row.refresh_from_db()
    row.pk += 10**6
    reports: list[WireMessage] = [kind.progress(row), kind.failed(row)]
    kind.life.heartbeat(report=reports[0])
    assert kind.life.record(report=reports[1]) is None
    assert ended == [row.lease_token] * 2
