"""Sends a worker's beats: every few seconds its state goes to the site, and a ping to itself."""

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
from wire.jobs import (
    BEAT_SECONDS,
    BUILD_TASK,
    PLAY_TASK,
    SELF_PING_PREFIX,
    SELF_PING_TASK,
    TABLE_TASK,
    TRY_TASK,
    WORKER_BEAT_TASK,
)
from wire.message_filter import SERIALIZER
from wire.signing import broker_user
from wire.transport import undeclared_queue
from wire.worker_reports import WorkerBeat
from workers.control import is_taking_work
from workers.disk_space import disk_space_fault
from workers.evidence import cut
from workers.fork_lock import fork_lock
from workers.host import CpuMeter, load
from workers.self_ping import INTERVALS_MAX, SelfPingMonitor
from workers.sending import heartbeat_send

log = structlog.get_logger()

_END_SECONDS = 1.0
"""How long idle processes of the pool have to remove containers that they have started, before they are killed."""
_PING_SECONDS = BEAT_SECONDS * INTERVALS_MAX
"""Seconds after which a ping expires, so that pings do not pile up in the queue of a worker that receives none."""

_CLOCK_BEATS = 6
"""The clock is checked with every sixth beat."""
_NOT_RECEIVING = "This worker is connected and gets no messages any more. It ends, to be started again."


def self_ping_queue(app: Celery, node: str) -> Queue:
    """Return the queue of a worker's pings to itself; only its broker user may write to or read from it.

    The name includes the user, since machines of two hosts may have one name (``raspberrypi``) and would receive each
    other's pings. The attack: a host takes the pings of another host's worker, and the worker ends itself.
    """
    return undeclared_queue(f"{SELF_PING_PREFIX}{broker_user(app.conf.broker_url)}.{node}")


def beat_of_refusal(app: Celery, sentence: str) -> WorkerBeat:
    """Return the only beat of a worker that refuses to start, with the reason in ``self_test``."""
    return _beat(app, backend=os.environ.get("SANDBOX", ""), self_test=cut(sentence, 1_000))


def _beat(app: Celery, **fields: Any) -> WorkerBeat:
    """Return a beat with this worker's identity, zeros for what it does, and ``fields``."""
    nothing = {"languages": [], "processes": 0, "busy": 0, "takes_work": False}
    since_start = {"uptime_seconds": 0.0, "jobs_taken": 0, "jobs_done": 0}
    who = {"worker": app.conf.node_name, "broker_user": broker_user(app.conf.broker_url)[:100], "version": __version__}
    where = {"host": socket.gethostname()[:100], "cores": len(os.sched_getaffinity(0)), "load": load()}
    return WorkerBeat(**{**who, **where, **nothing, **since_start, **fields})


class BeatSender(threading.Thread):
    """A thread that sends the beats, and ends a worker that receives no messages or whose clock is wrong.

    The supervisor (systemd, Docker or ours) then starts the worker again. It is a thread, since the main thread must go
    on handing out jobs while the broker is away.
    """

    def __init__(self, app: Celery, consumer: Any, backend: str) -> None:
        super().__init__(name="pulse", daemon=True)
        self.languages: list[str] = []
        """Names of the languages that work; ``languages_announce`` fills the list."""
        self._app = app
        self._consumer = consumer
        self._backend = backend
        self._begun = time.monotonic()
        self._cpu = CpuMeter()
        self._pings = SelfPingMonitor()
        self._ping_sent = False
        self._sent = 0

    def run(self) -> None:
        """Send beats until the worker has closed its pool, shortly before the process ends."""
        while True:
            try:
                self.beat_once()
            except Exception as error:
                if not self._consumer.pool.active:
                    log.info("beats_ended", error=str(error))
                    return
                log.exception("beat_failed", exc_info=error)
            time.sleep(BEAT_SECONDS)

    def beat_once(self) -> None:
        """Send one beat and one self-ping; end the worker if it receives nothing or its clock is wrong."""
        beat = self._beat()
        heartbeat_send(self._app, WORKER_BEAT_TASK, beat)
        self._sent += 1
        idle = beat.busy == 0
        if self._pings.is_unreachable(received=working.total_count[SELF_PING_TASK], expected=idle and self._ping_sent):
            self._end(_NOT_RECEIVING)
        # With a clock that has jumped, every match would be lost. The restarted worker reports the fault to the site.
        if self._sent % _CLOCK_BEATS == 0 and (fault := clock_fault(self._app.conf.broker_url)):
            self._end(fault)
        if self._pings.is_receiving:
            health_touch()
        with fork_lock:
            self._ping_sent = idle and self._send_ping()

    def _beat(self) -> WorkerBeat:
        taken = sum(working.total_count[task] for task in (PLAY_TASK, TABLE_TASK, BUILD_TASK, TRY_TASK))
        # The active requests may include a self-ping, which lasts a millisecond.
        busy = min(len(working.active_requests), taken)
        tables = self._app.conf.get("tables", 0)
        return _beat(
            self._app,
            backend=self._backend,
            self_test=disk_space_fault(),
            languages=list(self.languages),
            processes=0 if tables else self._consumer.pool.num_processes,
            tables=tables,
            busy=busy,
            takes_work=is_taking_work(self._app),
            uptime_seconds=time.monotonic() - self._begun,
            jobs_taken=taken,
            jobs_done=taken - busy,
            canary_ms=self._app.conf.canary_ms,
            cpu_percent=self._cpu.percent(),
        )

    def _send_ping(self) -> bool:
        """Send a ping to this worker's own queue; return whether the broker has accepted it."""
        queue = self_ping_queue(self._app, self._app.conf.node_name)
        try:
            # Celery accepts a queue in the place of its name; its type stubs do not.
            self._app.send_task(SELF_PING_TASK, queue=queue, serializer=SERIALIZER, expires=_PING_SECONDS, retry=False)  # type: ignore[arg-type]
        except OperationalError as error:
            log.warning("self_ping_not_sent", error=str(error))
            return False
        return True

    def _end(self, sentence: str) -> None:
        """Kill the pool's processes and end the worker at once.

        An orderly shutdown might hang, and the running matches would be lost anyway.
        """
        log.error("worker_ends", sentence=sentence)
        for number, wait_seconds in ((signal.SIGTERM, _END_SECONDS), (signal.SIGKILL, 0.0)):
            for pid in self._consumer.pool.info.get("processes", ()):  # a pool of threads has none
                with suppress(ProcessLookupError):  # it has ended
                    os.kill(pid, number)
            time.sleep(wait_seconds)
        os._exit(os.EX_TEMPFAIL)
