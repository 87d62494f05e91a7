"""Reports jobs that were lost because their process died or could not start, so that the site need not wait.

Without a report the site would hand out the job again only after its lease has run out.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
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
    if not isinstance(exception, WorkerLostError) or sender.name not in _REPORTS:
        return
    task, report = loss_report(sender.name, args[0], sender.app.conf.node_name)
    # In a thread, since the main process must go on handing out jobs while the broker is away. Without long retries,
    # since forks wait for it; if the report gets lost, the lease runs out.
    threading.Thread(target=send_best_effort, args=(sender.app, task, report), name="lost-job", daemon=True).start()


def loss_report(task: str, body: bytes, worker: str) -> tuple[str, WireMessage]:
    """Return the name of the site's task for reports of such a job, and the message that reports the job as lost.

    Args:
        task: name of the lost job's task, one of ``_REPORTS``; other jobs are not reported (see ``job_lost``).
        body: the job as JSON.
        worker: this worker's name in the report.

    Raises:
        msgspec.MsgspecError: the body is no job, so that nobody waits for it.
    """
    result, kind, fault = _REPORTS[task]
    return result, fault(msgspec.json.decode(body, type=kind), worker, _KILLED)


def match_fault(job: PlayJob | TableJob, worker: str, fault: Message) -> MatchReport:
    """Return the report of a match that the platform failed to play."""
    return MatchReport(job.match_id, job.attempt, job.lease_token, worker, 0, [], None, platform_fault=fault)


def build_fault(job: BuildJob, worker: str, fault: Message) -> BuildReport:
    """Return the report of a build that the platform failed to do."""
    return BuildReport(job.version_id, job.lease_token, worker, platform_fault=fault)


def try_fault(job: TryJob, worker: str, fault: Message) -> TryReport:
    """Return the report of a try that the platform failed to do."""
    return TryReport(job.try_id, job.lease_token, worker, platform_fault=fault)


_REPORTS: dict[str, tuple[str, type[Any], Callable[[Any, str, Message], WireMessage]]] = {
    PLAY_TASK: (MATCH_RESULT_TASK, PlayJob, match_fault),
    BUILD_TASK: (BUILD_RESULT_TASK, BuildJob, build_fault),
    TRY_TASK: (TRY_RESULT_TASK, TryJob, try_fault),
}
"""For each task of a job: the task of its report, the job's type, and a function that returns the report of a failure
of the platform."""
