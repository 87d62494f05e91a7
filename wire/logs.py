"""How log lines look: JSON for machines that collect them, readable columns for people at a terminal."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import structlog
from structlog.typing import Processor

from core.text import printable

# Local variables hold secrets and whole uploads: no log may show them.
WITHOUT_LOCALS = structlog.tracebacks.ExceptionDictTransformer(show_locals=False)

_SHARED: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
]


def is_json(name: str) -> bool:
    """Tell whether a ``LOG_FORMAT`` is the one for machines.

    Raises:
        ValueError: it is none of the two; lines in the wrong one would be read by nobody.
    """
    if name not in ("json", "columns"):
        raise ValueError(f"{name} is none of json, columns.")
    return name == "json"


def without_needless_tracebacks(record: logging.LogRecord) -> bool:
    """Leave the traceback out of a line about a request that was refused, or that met a part of ours which is away.

    The attack the first stops: a hundred bytes that are no form left ten thousand in the log, and hid what matters
    there. So did the second: a hundred lines for each page while the database was away, of which the last says all.
    """
    status = getattr(record, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
    if status == HTTPStatus.SERVICE_UNAVAILABLE and record.exc_info:
        record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]}", ()
    if status < HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.SERVICE_UNAVAILABLE:
        record.exc_info = None
    return True


def printable_line(_logger: Any, _name: str, line: Any) -> str:
    """Write out in a line what would steer the terminal, or rearrange its words.

    The attack: names, errors and tracebacks hold what strangers wrote, and logs are read in terminals.
    """
    return printable(line)


def logging_config(*, as_json: bool) -> dict[str, Any]:
    """Configure structlog and return the matching ``LOGGING`` setting.

    Args:
        as_json: one JSON object a line (production) instead of readable columns, to which the supervisor or the
            journal that shows them adds the time.

    Returns:
        A ``logging.config.dictConfig`` dictionary that sends everything to standard error.
    """
    structlog.configure(
        processors=[*_SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
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
            # Django's own handlers would print every line a second time.
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            # Two lines for every message received say less than the one of the service that took it.
            "celery": {"level": "WARNING"},
            # Each process and command would begin with a line about where the address of the object store stands.
            "botocore": {"level": "WARNING"},
            # The web server comes with handlers of its own, which know no JSON.
            "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
        },
    }
