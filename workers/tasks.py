"""The playing worker's Celery tasks: each takes one job, keeps its lease alive, and reports how it ended."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import TypeVar

import msgspec
from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from wire.job_signing import JobSignature, SiteKey
from wire.jobs import (
    BUILD_PROGRESS_TASK,
    BUILD_RESULT_TASK,
    BUILD_TASK,
    ECHO_TASK,
    LEASE_SECONDS,
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    PLAY_TASK,
    BuildJob,
    BuildProgress,
    BuildReport,
    Heartbeat,
    MatchReport,
    Message,
    PlayJob,
)
from wire.live import Show, live_stream
from wire.signing import broker_user, host_of
from wire.transport import receives, send
from workers.app import AHEAD, app, backend
from workers.artifacts import ArtifactCache, Transfer
from workers.build import Step, version_build
from workers.disk_space import room_awaited
from workers.environment import worker_folder
from workers.heartbeat import beating, send_lightly
from workers.lost_jobs import build_fault, match_fault
from workers.play import Tools, match_play, platform_sentence

J = TypeVar("J", bound=Message)


@cache
def tools() -> Tools:
    """Return what this process works with, made when it takes its first job."""
    transfer = Transfer()
    return Tools(backend(ahead=AHEAD), transfer, ArtifactCache(worker_folder(), transfer), app.conf.node_name)


@cache
def live_broker() -> Redis:
    """Return the broker for what is shown live, and for the key of the site: it gives up soon.

    Nothing is tried twice, or turns could be shown twice.
    """
    once = Retry(NoBackoff(), 0)
    return Redis.from_url(app.conf.broker_url, socket_connect_timeout=2, socket_timeout=2, retry=once)


@cache
def site_key() -> SiteKey:
    """Return what tells jobs of the site from others."""
    return SiteKey(live_broker())


def by_the_site(job: J, task: str, body: bytes, signature: JobSignature | None) -> J:
    """Return a job that the site has signed; see ``SiteKey.check``."""
    site_key().check(task, body, signature)
    return job


@receives(app, PLAY_TASK, PlayJob, signed=by_the_site, signature_kind=JobSignature)
def match_play_task(job: PlayJob) -> None:
    """Play one match."""
    if not room_awaited():
        return
    begun = time.monotonic()

    def alive() -> Heartbeat:
        return Heartbeat(job.match_id, job.lease_token, app.conf.node_name, time.monotonic() - begun)

    host = host_of(broker_user(app.conf.broker_url))
    with beating(app, MATCH_HEARTBEAT_TASK, alive), live_stream(live_broker(), job.lease_token, host=host) as show:
        report = _played(job, show)
    send(app, MATCH_RESULT_TASK, msgspec.structs.replace(report, seconds=time.monotonic() - begun))
    _rest_after(report)


@receives(app, BUILD_TASK, BuildJob, signed=by_the_site, signature_kind=JobSignature)
def version_build_task(job: BuildJob) -> None:
    """Build one version."""
    if not room_awaited():
        return
    worker = app.conf.node_name
    progress = BuildProgress(job.version_id, job.lease_token, Step.FETCH, worker)

    def reached(step: Step) -> None:
        nonlocal progress
        progress = BuildProgress(job.version_id, job.lease_token, step, worker)
        send_lightly(app, BUILD_PROGRESS_TASK, progress)

    with beating(app, BUILD_PROGRESS_TASK, lambda: progress):
        report = _built(job, reached)
    send(app, BUILD_RESULT_TASK, report)
    _rest_after(report)


@app.task(name=ECHO_TASK)
def echo_task() -> None:
    """Do nothing, in a process of the pool: that it was done shows that messages reach this worker."""


def _played(job: PlayJob, show: Show) -> MatchReport:
    try:
        ready = tools()
    except Exception as error:  # noqa: BLE001 - whatever it is: unreported, this process would take job after job in vain
        return match_fault(job, app.conf.node_name, platform_sentence(error))
    return match_play(job, ready, show)


def _built(job: BuildJob, reached: Callable[[Step], None]) -> BuildReport:
    try:
        ready = tools()
    except Exception as error:  # noqa: BLE001 - as above
        return build_fault(job, app.conf.node_name, platform_sentence(error))
    return version_build(job, ready, reached)


def _rest_after(report: MatchReport | BuildReport) -> None:
    """Take no job for a while after a fault of ours: a sick machine must not use up every match's attempts.

    Nor must one that lacks a language or its rules take each job in it before those who have it. A match that was
    played to its end, and is given back because a bot waited for a core, is no sign of sickness.
    """
    if isinstance(report, MatchReport) and report.turns:
        return
    if report.platform_fault or report.lacks:
        time.sleep(LEASE_SECONDS / 2)
