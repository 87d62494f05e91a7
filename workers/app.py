"""The playing Celery application: ``celery -A workers.app worker -Q play,build``.

From the environment: ``REDIS_URL`` (the broker), ``SANDBOX`` (docker, bubblewrap or auto), ``WORKER_CACHE`` (where
fetched bots are kept, default ``~/.cache/banzuke``), ``LANGUAGES`` (those to try and announce, default all that are
known), ``LOG_FORMAT`` (json for machines that collect logs). There is no database and no key of the site in it.
"""

from __future__ import annotations

import logging
import logging.config
import os
import threading
from typing import Any

from billiard.process import current_process
from celery import signals

import sandbox
from sandbox.api import PlatformFault, Sandbox
from sandbox.selftest import failures
from workers.announcing import languages_announce
from workers.cores import own_core
from workers.logs import logging_config
from workers.transport import application

if not os.environ.get("REDIS_URL"):
    raise SystemExit("REDIS_URL is not set: tell this worker the address of the broker, redis://user:password@host/0.")

app = application("workers", os.environ["REDIS_URL"])
app.conf.imports = ["workers.tasks", "workers.losses"]


@signals.setup_logging.connect
def set_up_logs(loglevel: int, **_: Any) -> None:
    """Log as the site does, with the match and attempt on every line."""
    logging.config.dictConfig(logging_config(as_json=os.environ.get("LOG_FORMAT") == "json"))
    logging.getLogger().setLevel(loglevel)


@signals.worker_init.connect
def require_sandbox(**_: Any) -> None:
    """Refuse to start where no sandbox can be built, or one of its walls is missing: bots are never run without."""
    try:
        missing = list(failures(backend()))
    except PlatformFault as reason:
        raise SystemExit(f"This worker does not start. {reason}") from reason
    if missing:
        raise SystemExit(f"This worker does not start. {' '.join(missing)}")


@signals.celeryd_init.connect
def count_processes(conf: Any, options: dict[str, Any], **_: Any) -> None:
    """Note how many processes will play, for the share of the cores that each gets."""
    app.conf.worker_concurrency = options.get("concurrency") or conf.worker_concurrency


@signals.worker_process_init.connect
def keep_to_own_core(**_: Any) -> None:
    """Give each playing process, and with it the bots it starts, a core of its own where there are enough.

    Neither can another match disturb its clock then, nor do bots wander between cores from turn to turn.
    """
    process: Any = current_process()  # one of billiard's pool: it has an index, which the type does not know
    if core := own_core(process.index, app.conf.worker_concurrency, os.sched_getaffinity(0)):
        os.sched_setaffinity(0, core)


@signals.worker_ready.connect
def announce_languages(**_: Any) -> None:
    """Find out and tell the site which languages work here; meanwhile the pool plays."""
    threading.Thread(target=languages_announce, args=(app, backend()), name="languages", daemon=True).start()


def backend() -> Sandbox:
    """Return the sandbox that the environment asks for.

    Raises:
        NoSandbox: it does not work here.
    """
    return sandbox.backend(os.environ.get("SANDBOX") or "auto")
