"""The playing worker's Celery tasks: each does one job, renews its lease meanwhile, and reports the result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache, partial
from typing import TypeVar

import msgspec
from redis import Redis, RedisError

from core.message import Message
from wire.heartbeats import is_over
from wire.job_signing import JobSignature, SiteKey
from wire.jobs import (
    BUILD_PROGRESS_TASK,
    BUILD_RESULT_TASK,
    BUILD_TASK,
    LEASE_SECONDS,
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    PLAY_TASK,
    SELF_PING_TASK,
    TABLE_TASK,
    TRY_PROGRESS_TASK,
    TRY_RESULT_TASK,
    TRY_TASK,
    BuildJob,
    BuildProgress,
    BuildReport,
    Heartbeat,
    MatchReport,
    PlayJob,
    TableJob,
    TryJob,
    TryProgress,
    TryReport,
    WireMessage,
)
from wire.live import Show, live_stream
from wire.signing import broker_user, host_of
from wire.transport import receives, send
from workers.app import AHEAD, app
from workers.artifacts import ArtifactCache, Transfer
from workers.build import version_build
from workers.compiling import Step
from workers.disk_space import disk_space_awaited
from workers.environment import backend, worker_folder
from workers.heartbeat import sending_heartbeats
from workers.lost_jobs import build_fault, match_fault, try_fault
from workers.play import Tools, match_play, platform_message, wants_rest
from workers.sending import brief_broker, heartbeat_send, send_best_effort
from workers.table_link import TableLink
from workers.tables import ENDED, must_end, table_match_play
from workers.tries import program_try

J = TypeVar("J", bound=WireMessage)
R = TypeVar("R", MatchReport, BuildReport, TryReport)


@cache
def tools() -> Tools:
    """Return the tools of this process, made when it takes its first job."""
    transfer = Transfer()
    ahead = 0 if app.conf.tables else AHEAD  # a table is open for minutes: its start may take a moment
    return Tools(backend(ahead=ahead), transfer, ArtifactCache(worker_folder(), transfer), app.conf.node_name)


def live_broker() -> Redis:
    """Return this process's connection for live matches and the site's key."""
    return brief_broker(app.conf.broker_url)


@cache
def site_key() -> SiteKey:
    """Return the site's public key, which this process reads once."""
    return SiteKey(live_broker())


def signed_by_site(job: J, task: str, body: bytes, signature: JobSignature | None) -> J:
    """Return the job if ``signature`` is the site's, of its task and its JSON ``body``; raise Refused if not."""
    site_key().check(task, body, signature)
    return job


@receives(app, PLAY_TASK, PlayJob, signed=signed_by_site, signature_kind=JobSignature)
def match_play_task(job: PlayJob) -> None:
    """Play one match and report its result."""
    if not disk_space_awaited():
        return
    alive = partial(_alive, job, time.monotonic())
    with sending_heartbeats(app, MATCH_HEARTBEAT_TASK, alive), _shown(job) as show:
        report = _reported(partial(match_play, job, show=show), partial(match_fault, job))
    send(app, MATCH_RESULT_TASK, msgspec.structs.replace(report, seconds=alive().seconds))
    _rest_after(report)


@receives(app, TABLE_TASK, TableJob, signed=signed_by_site, signature_kind=JobSignature)
def table_play_task(job: TableJob) -> None:
    """Play one match with remote seats and report its result, unless the site has ended the table."""
    if not disk_space_awaited() or _left_in_line(job):
        return
    alive = partial(_alive, job, time.monotonic())
    # A message, which the site reads at once: by it the site knows which host's keys the players' pages must read.
    send_best_effort(app, MATCH_HEARTBEAT_TASK, alive())
    with sending_heartbeats(app, MATCH_HEARTBEAT_TASK, alive) as ended:
        link = TableLink(
            live_broker(),
            job.lease_token,
            host=_host(),
            seats=list(job.remotes),
            must_end=lambda: must_end() or (ENDED if ended.is_set() else ""),
        )
        report = _reported(partial(table_match_play, job, link=link), partial(match_fault, job))
    if ended.is_set():  # nobody waits for it
        return
    send(app, MATCH_RESULT_TASK, msgspec.structs.replace(report, seconds=alive().seconds))
    if not must_end():
        _rest_after(report)


def _left_in_line(job: TableJob) -> bool:
    """Return whether the site has ended a table whose message waited here; False if the broker cannot be asked."""
    try:
        return is_over(live_broker(), job.lease_token)
    except RedisError:
        return False


@receives(app, BUILD_TASK, BuildJob, signed=signed_by_site, signature_kind=JobSignature)
def version_build_task(job: BuildJob) -> None:
    """Build one version and report the result."""
    if not disk_space_awaited():
        return
    told = partial(BuildProgress, job.version_id, job.lease_token, worker=app.conf.node_name)
    with _sending_steps(BUILD_PROGRESS_TASK, told) as reached:
        report = _reported(partial(version_build, job, reached=reached), partial(build_fault, job))
    send(app, BUILD_RESULT_TASK, report)
    _rest_after(report)


@receives(app, TRY_TASK, TryJob, signed=signed_by_site, signature_kind=JobSignature)
def program_try_task(job: TryJob) -> None:
    """Build one program, play a match with it, and report the result."""
    if not disk_space_awaited():
        return
    told = partial(TryProgress, job.try_id, job.lease_token, worker=app.conf.node_name)
    with _sending_steps(TRY_PROGRESS_TASK, told) as reached, _shown(job) as show:
        report = _reported(partial(program_try, job, reached=reached, show=show), partial(try_fault, job))
    send(app, TRY_RESULT_TASK, report)
    _rest_after(report)


@app.task(name=SELF_PING_TASK)
def self_ping_task() -> None:
    """Do nothing; Celery's count of these tasks shows that messages reach this worker."""


def _alive(job: PlayJob | TableJob, begun: float) -> Heartbeat:
    """Return a heartbeat of a match that began at ``begun``, by ``time.monotonic``."""
    return Heartbeat(job.match_id, job.lease_token, app.conf.node_name, time.monotonic() - begun)


def _host() -> str:
    """Return the name of the invited host that this worker's broker user belongs to; empty if it belongs to none."""
    return host_of(broker_user(app.conf.broker_url))


def _shown(job: PlayJob | TryJob) -> AbstractContextManager[Show]:
    return live_stream(live_broker(), job.lease_token, host=_host())


@contextmanager
def _sending_steps(task: str, told: Callable[[Step], WireMessage]) -> Iterator[Callable[[Step], None]]:
    """Yield a function that sends each step of a job when it begins; heartbeats repeat the newest step.

    ``told`` returns the message about a step, which is sent to ``task``.
    """
    progress = told(Step.FETCH)

    def reached(step: Step) -> None:
        nonlocal progress
        progress = told(step)
        heartbeat_send(app, task, progress)

    with sending_heartbeats(app, task, lambda: progress):
        yield reached


def _reported(work: Callable[[Tools], R], failed: Callable[[str, Message], R]) -> R:
    """Do a job by ``work`` and return its report.

    If this process cannot make its tools, such as the sandbox, return what ``failed`` returns for the worker's name and
    the reason.
    """
    try:
        ready = tools()
    except Exception as error:  # noqa: BLE001 - any error must be reported, or this process would fail job after job
        return failed(app.conf.node_name, platform_message(error))
    return work(ready)


def _rest_after(report: MatchReport | BuildReport | TryReport) -> None:
    """Sleep half a lease after a platform fault, so that a broken machine does not use up the attempts of every match.

    The same goes for a worker that lacks a language or rules: others get time to take the job.
    """
    if wants_rest(report):
        time.sleep(LEASE_SECONDS / 2)
