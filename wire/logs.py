"""The format of log lines: JSON for machines that collect them, or readable columns for people at a terminal."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import structlog
from structlog.typing import Processor

from core.text import printable

# Tracebacks are logged without local variables, which hold secrets and whole uploads.
WITHOUT_LOCALS = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)

_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
]
_PROCESSORS: list[Processor] = [*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter]
"""One list for all configurations of a process: loggers keep the one of their first line."""


def is_json(name: str) -> bool:
    """Return True for the ``LOG_FORMAT`` "json", False for "columns".

    Raises:
        ValueError: the name is neither.
    """
    if name not in ("json", "columns"):
        raise ValueError(f"{name} is none of json, columns.")
    return name == "json"


def without_needless_tracebacks(record: logging.LogRecord) -> bool:
    """Remove the traceback from a record about a 4xx or 503 response; a logging filter, which always returns True.

    The attack: malformed requests of a hundred bytes each leave tracebacks of ten thousand bytes, which bury what
    matters. A 503 means that the database or broker is away: the last line of the traceback, which is kept, says all.
    """
    status = getattr(record, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
    if status == HTTPStatus.SERVICE_UNAVAILABLE and record.exc_info:
        record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]}", ()
    if status < HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.SERVICE_UNAVAILABLE:
        record.exc_info = None
    return True


def without_offers(record: logging.LogRecord) -> bool:
    """Drop the web server's warnings about an offer to upgrade, which it ignores; a logging filter.

    Some clients make the offer in each request: Java's ``HttpClient`` offers HTTP/2.
    """
    return not record.getMessage().startswith(("Unsupported upgrade request.", "No supported WebSocket library"))


def printable_line(_logger: Any, _name: str, line: Any) -> str:
    """Return the line with control and direction characters escaped; a structlog processor.

    The attack: names, errors and tracebacks hold text of strangers, which could control the terminal of a reader.
    """
    return printable(line)


def logging_config(*, as_json: bool) -> dict[str, Any]:
    """Configure structlog and return the matching ``LOGGING`` setting.

    Args:
        as_json: one JSON object a line, with the time (production); otherwise readable columns without the time, which
            the supervisor or the journal adds.

    Returns:
        A ``logging.config.dictConfig`` dictionary that sends everything to standard error.
    """
    structlog.configure(
        processors=_PROCESSORS,
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: list[Processor] = (
        [
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(WITHOUT_LOCALS),
            structlog.processors.JSONRenderer(),
        ]
        if as_json
        else [
            structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
            printable_line,
        ]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "structlog": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": _SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
            }
        },
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "structlog",
                "filters": [without_needless_tracebacks],
            }
        },
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {
            # Without this, Django's own handlers would print every line a second time.
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # Celery would log two lines for every message; the line of the service that handles it says more.
            "celery": {"level": "WARNING"},
            # Each process would begin with a line about where it found the object store's credentials.
            "botocore": {"level": "WARNING"},
            # The web server's own handlers cannot write JSON.
            "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
            "uvicorn.error": {"filters": [without_offers]},
        },
    }
