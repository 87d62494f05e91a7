"""Reports jobs that were lost because their process died or could not start, so that the site need not wait.

Without a report the site would hand out the job again only after its lease has run out.
"""

from __future__ import annotations

import threading
from typing import Any

import msgspec
from billiard.exceptions import WorkerLostError
from celery import signals

from core.message import Message
from wire.jobs import (
    BUILD_RESULT_TASK,
    BUILD_TASK,
    MATCH_RESULT_TASK,
    PLAY_TASK,
    TRY_RESULT_TASK,
    TRY_TASK,
    BuildJob,
    BuildReport,
    MatchReport,
    PlayJob,
    TableJob,
    TryJob,
    TryReport,
    WireMessage,
)
from workers.sending import send_best_effort

_KILLED = Message("worker-killed")


@signals.task_failure.connect
def job_lost(sender: Any, exception: BaseException, args: list[Any], **_: Any) -> None:
    """Report a job whose process has died; runs in the worker's main process.

    Args:
        sender: the task.
        exception: why the task failed. Only WorkerLostError is handled; the process itself reports all other errors.
        args: arguments of the task; the first is the job's JSON.
    """
    if not isinstance(exception, WorkerLostError) or sender.name not in (PLAY_TASK, BUILD_TASK, TRY_TASK):
        return
    task, report = loss_report(sender.name, args[0], sender.app.conf.node_name)
    # In a thread, since the main process must go on handing out jobs while the broker is away. Without long retries,
    # since forks wait for it; if the report gets lost, the lease runs out.
    threading.Thread(target=send_best_effort, args=(sender.app, task, report), name="lost-job", daemon=True).start()


def loss_report(task: str, body: bytes, worker: str) -> tuple[str, WireMessage]:
    """Return the task and message that report a lost job.

    Args:
        task: task of the job.
        body: the job's JSON.
        worker: this worker's name.

    Raises:
        msgspec.MsgspecError: the body is no job, so that nobody waits for it.
    """
    if task == BUILD_TASK:
        return BUILD_RESULT_TASK, build_fault(msgspec.json.decode(body, type=BuildJob), worker, _KILLED)
    if task == TRY_TASK:
        return TRY_RESULT_TASK, try_fault(msgspec.json.decode(body, type=TryJob), worker, _KILLED)
    return MATCH_RESULT_TASK, match_fault(msgspec.json.decode(body, type=PlayJob), worker, _KILLED)


def match_fault(job: PlayJob | TableJob, worker: str, fault: Message) -> MatchReport:
    """Return the report of a match that the platform failed to play."""
    return MatchReport(job.match_id, job.attempt, job.lease_token, worker, 0, [], None, platform_fault=fault)


def build_fault(job: BuildJob, worker: str, fault: Message) -> BuildReport:
    """Return the report of a build that the platform failed to try."""
    return BuildReport(job.version_id, job.lease_token, worker, platform_fault=fault)


def try_fault(job: TryJob, worker: str, fault: Message) -> TryReport:
    """Return the report of a try that the platform failed to make."""
    return TryReport(job.try_id, job.lease_token, worker, platform_fault=fault)
