"""Reports at once a job that was not worked on to its end, so that nobody waits until its lease runs out.

Its process has died, or had nothing to work with.
"""

from __future__ import annotations

import threading
from typing import Any

import msgspec
from billiard.exceptions import WorkerLostError
from celery import signals

from wire.jobs import (
    BUILD_RESULT_TASK,
    BUILD_TASK,
    MATCH_RESULT_TASK,
    PLAY_TASK,
    BuildJob,
    BuildReport,
    MatchReport,
    Message,
    PlayJob,
)
from workers.heartbeat import send_lightly

_SENTENCE = "The process that worked on it was killed; the worker's log says more."


@signals.task_failure.connect
def job_lost(sender: Any, exception: BaseException, args: list[Any], **_: Any) -> None:
    """Report a job that died with its process. Runs in the worker's main process, which lives on.

    Args:
        sender: the task.
        exception: only the loss of the process is of interest; everything else the process itself has reported.
        args: those of the task: its message.
    """
    if not isinstance(exception, WorkerLostError) or sender.name not in (PLAY_TASK, BUILD_TASK):
        return
    task, report = loss_report(sender.name, args[0], sender.app.conf.node_name)
    # In a thread: the broker may be away, and the main process must go on handing out jobs. Lightly: a fork waits for
    # it, and where it comes too late the lease has run out.
    threading.Thread(target=send_lightly, args=(sender.app, task, report), name="loss", daemon=True).start()


def loss_report(task: str, body: bytes, worker: str) -> tuple[str, Message]:
    """Return the task and message that tell of a lost job.

    Args:
        task: of the job.
        body: the job as it came.
        worker: this worker's name.

    Raises:
        msgspec.MsgspecError: it was no job; nobody waits for it.
    """
    if task == BUILD_TASK:
        return BUILD_RESULT_TASK, build_fault(msgspec.json.decode(body, type=BuildJob), worker, _SENTENCE)
    return MATCH_RESULT_TASK, match_fault(msgspec.json.decode(body, type=PlayJob), worker, _SENTENCE)


def match_fault(job: PlayJob, worker: str, sentence: str) -> MatchReport:
    """Return the report of a match that could not be played by our fault."""
    return MatchReport(job.match_id, job.attempt, job.lease_token, worker, 0, [], None, platform_fault=sentence)


def build_fault(job: BuildJob, worker: str, sentence: str) -> BuildReport:
    """Return the report of a build that could not be tried by our fault."""
    return BuildReport(job.version_id, job.lease_token, worker, platform_fault=sentence)
