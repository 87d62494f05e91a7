"""When the timetable (``arena.celery``) sends what, and what is late: as Celery does it, but for wrong clocks."""

from __future__ import annotations

import math
import time
from typing import Any, Literal

import structlog
from celery import Task, signals
from celery.beat import PersistentScheduler, ScheduleEntry, SchedulingError
from celery.worker.request import Request
from redis import RedisError

FREE_MEMORY_TASK = "matches.sweep_streams"
"""Frees memory of the broker; run by the timetable itself when the broker takes no message."""
RECENT_SECONDS = 1.0
"""What was done so long ago was done just now: half of the timetable's shortest time."""

log = structlog.get_logger(__name__)
_done_at: dict[str, float] = {}
"""When each task ended last in this process, by the monotonic clock."""


class Timetable(PersistentScheduler):
    """Celery's own, which by itself waits until a clock that was set back has come again to where it was.

    A machine that starts with the wrong hour and learns the right one from NTP had no pairing, no sweeps and no ratings
    for hours, over restarts, too: Celery keeps in a file when it last sent what.
    """

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; return how many seconds to wait."""
        to_come = [entry for entry in self.schedule.values() if _is_to_come(entry)]
        if to_come:
            log.warning("clock_set_back", entries=[entry.name for entry in to_come])
            self._begin_anew(to_come)
        return float(super().tick(*args, **kwargs))

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send what is due; without a broker that takes it, it is logged and missing, no more.

        In a line: Celery's two tracebacks for each made a broker that is full, or may only be read, fill the disk with
        six gigabytes of log a day. What makes room in a broker that is full is done here then: no message would come
        through to have it done.
        """
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            log.error("not_sent", task=entry.task, error=str(error))
            if entry.task == FREE_MEMORY_TASK:
                self._make_room()

    def _make_room(self) -> None:
        try:
            self.app.tasks[FREE_MEMORY_TASK]()
        except RedisError as error:
            log.error("no_room_made", error=str(error))

    def _begin_anew(self, entries: list[ScheduleEntry]) -> None:
        for entry in entries:
            entry.last_run_at = entry.default_now()
        self.populate_heap()


def _is_to_come(entry: ScheduleEntry) -> bool:
    """Tell whether something was last sent at a time that is to come."""
    return entry.last_run_at is not None and entry.last_run_at > entry.default_now()


class TimetableRequest(Request):
    """A message as a managing worker meets it: one of the timetable is too late only where its task was done just now.

    So none pile up behind a busy worker, and nothing else is dropped. Celery goes by when the message expires, which is
    written by one machine's clock and read by another's: where a manager's was three seconds ahead nothing was paired
    any more, and no lease ran out, without a word.
    """

    def maybe_expire(self) -> Literal[True] | None:
        """Tell whether to drop the message."""
        is_timed = any(entry["task"] == self.name for entry in self.task.app.conf.beat_schedule.values())
        done_seconds_ago = time.monotonic() - _done_at.get(self.name, -math.inf)
        return None if is_timed and done_seconds_ago >= RECENT_SECONDS else super().maybe_expire()


@signals.task_postrun.connect
def note_done(task: Task[Any, Any], **_: Any) -> None:
    """Note that a task has ended."""
    _done_at[task.name] = time.monotonic()
