"""The beats of a worker: every few seconds it says how it is, and makes sure that it can still hear."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from contextlib import suppress
from typing import Any

import structlog
from celery import Celery
from celery.worker import state as working
from kombu import Queue
from kombu.exceptions import OperationalError

from core import __version__
from wire.clock import clock_fault
from wire.health import health_touch
from wire.jobs import BEAT_SECONDS, BUILD_TASK, ECHO_PREFIX, ECHO_TASK, PLAY_TASK, WORKER_BEAT_TASK, WorkerBeat
from wire.message_filter import LINES
from wire.signing import broker_user
from wire.transport import undeclared_queue
from workers.control import is_taking_work
from workers.disk_space import room_fault
from workers.evidence import cut
from workers.fork_lock import forks_wait
from workers.heartbeat import send_lightly
from workers.host import CpuMeter, load
from workers.self_ping import INTERVALS_MAX, Hearing

log = structlog.get_logger()

_END_SECONDS = 1.0
"""For idle processes of the pool to remove what they keep ready for bots, before they are killed."""
_ECHO_SECONDS = BEAT_SECONDS * INTERVALS_MAX
"""An echo heard later than that says nothing; and none may pile up in the queue of a deaf worker."""

_CLOCK_BEATS = 6
"""How many beats pass between two looks at the clock."""
_DEAF = "This worker is connected and gets no messages any more. It ends, to be started again."


def echo_queue(app: Celery, node: str) -> Queue:
    """Return the queue in which a worker hears itself. Its user of the broker alone may write there or take from it.

    Machines of two hosts may have one name (``raspberrypi``), and would hear each other's echoes. The attack: a host
    takes the echoes of another's worker out of the broker, and the worker ends, since it takes itself for deaf.
    """
    return undeclared_queue(f"{ECHO_PREFIX}{broker_user(app.conf.broker_url)}.{node}")


def beat_of_refusal(app: Celery, sentence: str) -> WorkerBeat:
    """Return the only beat of a worker that does not start, with the reason."""
    return _beat(app, backend=os.environ.get("SANDBOX", ""), self_test=cut(sentence, 1_000))


def _beat(app: Celery, **how: Any) -> WorkerBeat:
    nothing = {"languages": [], "processes": 0, "busy": 0, "takes_work": False}
    since_start = {"uptime_seconds": 0.0, "jobs_taken": 0, "jobs_done": 0}
    who = {"worker": app.conf.node_name, "broker_user": broker_user(app.conf.broker_url)[:100], "version": __version__}
    where = {"host": socket.gethostname()[:100], "cores": len(os.sched_getaffinity(0)), "load": load()}
    return WorkerBeat(**{**who, **where, **nothing, **since_start, **how})


class Pulse(threading.Thread):
    """Sends the beats, and ends a worker that is deaf or whose clock is wrong: whoever started it starts it again.

    A thread, since the main process must go on handing out jobs while the broker is away.
    """

    def __init__(self, app: Celery, consumer: Any, backend: str) -> None:
        super().__init__(name="pulse", daemon=True)
        self.languages: list[str] = []
        """Names of those found to work; whoever tries them fills it."""
        self._app = app
        self._consumer = consumer
        self._backend = backend
        self._begun = time.monotonic()
        self._cpu = CpuMeter()
        self._hearing = Hearing()
        self._echo_sent = False
        self._sent = 0

    def run(self) -> None:
        """Beat until the process ends, or nearly: it loses its pool first, and has no more to tell then."""
        while True:
            try:
                self._once()
            except Exception as error:
                if not self._consumer.pool.active:
                    log.info("beats_ended", error=str(error))
                    return
                log.exception("beat_failed", exc_info=error)
            time.sleep(BEAT_SECONDS)

    def _once(self) -> None:
        beat = self._beat()
        send_lightly(self._app, WORKER_BEAT_TASK, beat)
        self._sent += 1
        idle = beat.busy == 0
        if self._hearing.is_deaf(heard=working.total_count[ECHO_TASK], expected=idle and self._echo_sent):
            self._end(_DEAF)
        # A clock that has jumped loses every match, as at the start: the next one tells it to administrators.
        if self._sent % _CLOCK_BEATS == 0 and (fault := clock_fault(self._app.conf.broker_url)):
            self._end(fault)
        if self._hearing.hears:
            health_touch()
        with forks_wait:
            self._echo_sent = idle and self._echo()

    def _beat(self) -> WorkerBeat:
        taken = sum(working.total_count[task] for task in (PLAY_TASK, BUILD_TASK))
        # An echo may be among the active ones; it lasts a millisecond.
        busy = min(len(working.active_requests), taken)
        return _beat(
            self._app,
            backend=self._backend,
            self_test=room_fault(),
            languages=list(self.languages),
            processes=self._consumer.pool.num_processes,
            busy=busy,
            takes_work=is_taking_work(self._app),
            uptime_seconds=time.monotonic() - self._begun,
            jobs_taken=taken,
            jobs_done=taken - busy,
            canary_ms=self._app.conf.canary_ms,
            cpu_percent=self._cpu.percent(),
        )

    def _echo(self) -> bool:
        """Send this worker a message to itself; say whether the broker has it."""
        queue = echo_queue(self._app, self._app.conf.node_name)
        try:
            # Celery takes a queue as well as its name; its stubs do not know.
            self._app.send_task(ECHO_TASK, queue=queue, serializer=LINES, expires=_ECHO_SECONDS, retry=False)  # type: ignore[arg-type]
        except OperationalError as error:
            log.warning("echo_not_sent", error=str(error))
            return False
        return True

    def _end(self, sentence: str) -> None:
        """End at once: what it plays would be lost anyway, and the part that would end it in order may be stuck."""
        log.error("worker_ends", sentence=sentence)
        for number, wait_seconds in ((signal.SIGTERM, _END_SECONDS), (signal.SIGKILL, 0.0)):
            for pid in self._consumer.pool.info["processes"]:
                with suppress(ProcessLookupError):  # it has ended
                    os.kill(pid, number)
            time.sleep(wait_seconds)
        os._exit(os.EX_TEMPFAIL)
