"""Logs an outage of the database or of the broker once, not once for each task that fails by it."""

from __future__ import annotations

import logging
import math
import sys
import time
from collections.abc import Iterator
from typing import Literal

from django import db
from redis import exceptions

DATABASE_ERRORS = (db.OperationalError, db.InterfaceError)
BROKER_ERRORS = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ReadOnlyError,
    exceptions.OutOfMemoryError,
)
AWAY_STATES = ("08", "53", "57P", "25006")
"""First characters of the error codes of a PostgreSQL that ends, starts, is full or may only be read. An error without
a code means that the connection has failed. Any other code, such as that of a deadlock, concerns one task alone."""
QUIET_SECONDS = 60.0
"""An outage is over when no task has failed by it for this time: the timetable starts some each second."""
AWAY = "The %s is away: %s. What fails because of it is not logged until it is back."


class OutageFilter(logging.Filter):
    """Passes the first log record about an outage, without its traceback, and drops all others about the same one.

    A manager has some thirty tasks that the timetable starts every few seconds. With the traceback of each, an outage
    made a gigabyte of log a day; and the one line that says what is wrong was not to be found among them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._failed_at = {"database": -math.inf, "broker": -math.inf}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is to be logged; the first one of an outage says what is away."""
        if (told := getattr(record, "outage_is_told", None)) is not None:  # by the filter of another handler
            return bool(told)
        found = next(filter(None, map(_outage, _errors(record))), None)
        if found is None:
            return True
        part, words = found
        now = time.monotonic()
        is_new = record.outage_is_told = now - self._failed_at[part] > QUIET_SECONDS
        self._failed_at[part] = now
        sentence = AWAY % (part, words.strip().partition("\n")[0].rstrip("."))
        if isinstance(record.msg, dict):  # of structlog
            kept = {name: value for name, value in record.msg.items() if name != "exc_info"}
            record.msg = {**kept, "event": f"{part}_away", "sentence": sentence}
        else:
            record.msg, record.args = f"{part}_away: {sentence}", ()
        record.exc_info = record.exc_text = None
        return is_new


def _errors(record: logging.LogRecord) -> Iterator[BaseException]:
    """Yield the error of a record, and those that it came from."""
    info = record.msg.get("exc_info") if isinstance(record.msg, dict) else record.exc_info
    info = sys.exc_info() if info is True else info
    error = info[1] if isinstance(info, tuple) else info
    while isinstance(error, BaseException):
        yield error
        error = error.__cause__ or error.__context__


def _outage(error: BaseException) -> tuple[Literal["database", "broker"], str] | None:
    """Return which part is away by this error, and the text of the error; None if the error tells of no outage."""
    if isinstance(error, BROKER_ERRORS):
        return "broker", f"{type(error).__name__}: {error}"
    if isinstance(error, DATABASE_ERRORS):
        state = getattr(error.__cause__, "sqlstate", None)
        return ("database", f"{type(error).__name__}: {error}") if not state or state.startswith(AWAY_STATES) else None
    return None
