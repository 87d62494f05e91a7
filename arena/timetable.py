"""Celery's scheduler and its expiry of messages, made to work on machines whose clocks are wrong.

Several processes of the timetable may run: one leads and sends, the others wait until it ends.
"""

from __future__ import annotations

import math
import os
import secrets
import socket
import time
from typing import Any, Literal

import structlog
from celery import Task, signals
from celery.beat import PersistentScheduler, ScheduleEntry, SchedulingError
from celery.worker.request import Request
from django.db import DatabaseError, connection
from redis import RedisError

from wire.health import health_touch

FREE_MEMORY_TASK = "matches.sweep_streams"
"""The task that frees memory of the broker. The timetable runs it itself when the broker is full."""
ASK_SECONDS = 3.0
"""How often a process of the timetable asks the database whether it leads."""
RECENT_SECONDS = 1.0
"""A task is not done again within this time after it ended: half of the shortest interval of the timetable."""

log = structlog.get_logger(__name__)
_done_at: dict[str, float] = {}
"""When each task ended last in this process, by the monotonic clock."""


class Lead:
    """Whether this process leads the timetable; the database is asked every few seconds."""

    def __init__(self) -> None:
        self._name = f"{socket.gethostname()}.{os.getpid()}.{secrets.token_hex(4)}"
        self._has = self._is_lost = False
        self._asked_at = self._answered_at = -math.inf

    def has(self) -> bool:
        """Return whether this process leads. While the database is away, a leader goes on until another may lead."""
        from jobs.services.leading import LEAD_SECONDS, timetable_lead  # the apps are not loaded before

        now = time.monotonic()
        if now - self._asked_at < ASK_SECONDS:
            return self._has
        self._asked_at = now
        try:
            has = timetable_lead(name=self._name)
            self._answered_at, self._is_lost = now, False
        except DatabaseError as error:
            if not self._is_lost:  # once for each outage, not every few seconds
                log.warning("lead_unknown", error=str(error))
            self._is_lost = True
            connection.close()
            has = self._has and now - self._answered_at < LEAD_SECONDS - ASK_SECONDS
        if has != self._has:
            log.info("timetable_leads" if has else "timetable_waits", name=self._name)
        self._has = has
        health_touch()  # who waits for the lead sends nothing, and is well
        return has

    def end(self) -> None:
        """Give the lead up."""
        from jobs.services.leading import timetable_lead_end

        try:
            timetable_lead_end(name=self._name)
        except DatabaseError as error:
            log.warning("lead_not_ended", error=str(error))


class Timetable(PersistentScheduler):
    """Celery's scheduler, which sends only while it leads, and goes on after the clock was set back.

    Celery's own waits until the clock has come to the old time again, even after a restart, since it stores in a file
    when it last sent each message. On a machine that started with the wrong hour and got the right one by NTP, nothing
    was paired, swept or rated for hours.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.lead = Lead()
        super().__init__(*args, **kwargs)

    def close(self) -> None:
        """Store when each message was sent last, and give the lead up."""
        super().close()
        self.lead.end()

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send the messages that are due; return how many seconds to wait until the next one."""
        if not self.lead.has():
            return ASK_SECONDS
        future = [
            entry for entry in self.schedule.values() if entry.last_run_at and entry.last_run_at > entry.default_now()
        ]
        if future:
            log.warning("clock_set_back", entries=[entry.name for entry in future])
            for entry in future:
                entry.last_run_at = entry.default_now()
            self.populate_heap()
        return float(super().tick(*args, **kwargs))

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send the message of an entry; if the broker refuses it, log that in one line and go on.

        Celery's own logs two tracebacks for each message, which filled the disk with six gigabytes a day while a broker
        was full or read-only. The task that frees memory of a full broker is run right here, since no message could
        start it.
        """
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            log.error("not_sent", task=entry.task, error=str(error))
            if entry.task != FREE_MEMORY_TASK:
                return
            try:
                self.app.tasks[FREE_MEMORY_TASK]()
            except RedisError as fault:
                log.error("no_memory_freed", error=str(fault))


class TimetableRequest(Request):
    """A message that a manager receives. One of the timetable is dropped only if its task has just been done here.

    So messages do not pile up behind a busy manager, and no other message is lost. Celery itself drops a message by its
    expiry time, which one machine's clock wrote and another's reads: on a manager whose clock was three seconds ahead
    nothing was paired any more and no lease ran out, silently.
    """

    def maybe_expire(self) -> Literal[True] | None:
        """Return True if the message must be dropped, and None if it must be handled."""
        is_timed = any(entry["task"] == self.name for entry in self.task.app.conf.beat_schedule.values())
        done_seconds_ago = time.monotonic() - _done_at.get(self.name, -math.inf)
        return None if is_timed and done_seconds_ago >= RECENT_SECONDS else super().maybe_expire()


@signals.task_postrun.connect
def record_done(task: Task[Any, Any], **_: Any) -> None:
    """Record when a task has ended."""
    _done_at[task.name] = time.monotonic()
