"""When the timetable (``ladder.celery``) sends what: as Celery does it, but for wrong clocks and full brokers."""

from __future__ import annotations

from typing import Any

import structlog
from celery.beat import PersistentScheduler, ScheduleEntry, SchedulingError

log = structlog.get_logger(__name__)


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
        six gigabytes of log a day.
        """
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except SchedulingError as error:
            log.error("not_sent", task=entry.task, error=str(error))

    def _begin_anew(self, entries: list[ScheduleEntry]) -> None:
        for entry in entries:
            entry.last_run_at = entry.default_now()
        self._heap = None  # Celery makes it again


def _is_to_come(entry: ScheduleEntry) -> bool:
    """Tell whether something was last sent at a time that is to come."""
    return entry.last_run_at is not None and entry.last_run_at > entry.default_now()
