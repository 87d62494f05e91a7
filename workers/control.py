"""The command by which the site controls a playing worker, over Celery's remote control.

It holds the whole wanted state and may arrive twice. The site repeats it as long as a worker's beats show another
state, so that neither a lost command nor a restart of the worker matters.
"""

from __future__ import annotations

from typing import Any

import structlog
from celery.worker import state as working
from celery.worker.control import control_command

from wire.jobs import ADJUST_COMMAND
from wire.signing import broker_user

log = structlog.get_logger()


@control_command(name=ADJUST_COMMAND)
def adjust(state: Any, processes: int | None, takes_work: bool, user: str = "", **_: Any) -> None:
    """Change this worker to the wanted number of processes (None: no change), and whether it consumes the job queues.

    A worker of tables changes no processes. ``user`` is the broker user of the worker that is meant, since a machine of
    another host may have the same name; empty: any user.
    """
    consumer = state.consumer
    if user not in ("", broker_user(consumer.app.conf.broker_url)):
        return
    if takes_work is not is_taking_work(consumer.app):
        for name in consumer.app.conf.job_queues:
            (consumer.add_task_queue if takes_work else consumer.cancel_task_queue)(name)
        log.info("takes_work" if takes_work else "drains")
    # A pool of threads, which holds tables, has no processes to change.
    if processes is not None and not consumer.app.conf.tables and processes != consumer.pool.num_processes:
        pool, missing = consumer.pool, processes - consumer.pool.num_processes
        if missing > 0:
            pool.grow(missing)
            pool.maintain_pool()
        # Take fewer jobs first: under a full queue no process would ever be idle.
        consumer.initial_prefetch_count = processes
        change = processes - consumer.qos.value
        if change > 0:
            consumer.qos.increment_eventually(change)
        elif change < 0:
            consumer.qos.decrement_eventually(-change)
        # A job that is just being passed to a process would be lost if the process ended.
        in_transit = len(working.reserved_requests) != len(working.active_requests)
        # A process that is ending still counts as idle, and would be ended a second time in the place of another.
        leaving = len(pool.info["processes"]) > pool.num_processes
        idle = pool.num_processes - len(working.active_requests)
        if missing < 0 < idle and not in_transit and not leaving:
            pool.shrink(min(-missing, idle))
        log.info("processes_changed", wanted=processes, now=consumer.pool.num_processes)


def is_taking_work(app: Any) -> bool:
    """Return True if a worker is set to consume job queues, even while it is reconnecting."""
    return any(name in app.amqp.queues.consume_from for name in app.conf.job_queues)
