"""What the site may order of a playing worker: one command of Celery's remote control.

It says what is wanted, whole, and may be said twice: the site repeats it as long as a worker's beats show something
else, so that neither a lost order nor a restart of the worker changes anything.
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
    """Bring this worker to what is wanted of it.

    One of another host, whose machine has the same name, hears it as well.

    Args:
        state: Celery's, with the consumer.
        processes: how many shall play; None: as many as do.
        takes_work: whether to consume the queues of jobs.
        user: of the broker, as whom the worker that is meant has signed in; empty: any.
    """
    consumer = state.consumer
    if user not in ("", broker_user(consumer.app.conf.broker_url)):
        return
    if takes_work is not is_taking_work(consumer.app):
        _take_work(consumer, takes_work)
    if processes is not None and processes != consumer.pool.num_processes:
        _resize(consumer, processes)
        log.info("processes_changed", wanted=processes, now=consumer.pool.num_processes)


def is_taking_work(app: Any) -> bool:
    """Say whether a worker means to consume the queues of jobs, even if it is just reconnecting."""
    return any(name in app.amqp.queues.consume_from for name in app.conf.job_queues)


def _take_work(consumer: Any, wanted: bool) -> None:
    for name in consumer.app.conf.job_queues:
        (consumer.add_task_queue if wanted else consumer.cancel_task_queue)(name)
    log.info("takes_work" if wanted else "drains")


def _resize(consumer: Any, wanted: int) -> None:
    """Change the number of processes; only idle ones end, the others when the order comes again."""
    pool, missing = consumer.pool, wanted - consumer.pool.num_processes
    if missing > 0:
        pool.grow(missing)
        pool.maintain_pool()
    # Fewer jobs are taken at once: under a full queue no process would ever be idle.
    _take_at_most(consumer, wanted)
    # A job on its way to a process would be lost with it.
    in_transit = len(working.reserved_requests) != len(working.active_requests)
    # One asked to end stays among the idle ones until it has, and would be asked once more instead of another.
    leaving = len(pool.info["processes"]) > pool.num_processes
    idle = pool.num_processes - len(working.active_requests)
    if missing < 0 < idle and not in_transit and not leaving:
        pool.shrink(min(-missing, idle))


def _take_at_most(consumer: Any, jobs: int) -> None:
    consumer.initial_prefetch_count = jobs
    change = jobs - consumer.qos.value
    if change > 0:
        consumer.qos.increment_eventually(change)
    elif change < 0:
        consumer.qos.decrement_eventually(-change)
