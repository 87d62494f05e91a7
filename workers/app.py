"""The playing Celery application: ``celery -A workers.app worker -Q play,build``.

From the environment: ``REDIS_URL`` (the broker), ``SANDBOX`` (docker, bubblewrap or auto), ``WORKER_CACHE`` (where
fetched bots are kept, default ``~/.cache/banzuke``), ``LANGUAGES`` (those to try and announce, default all that are
known), ``LOG_FORMAT`` (json for machines that collect logs), ``SANDBOX_AHEAD`` (how many containers wait started for
bots in each playing process, default 2), ``SANDBOX_RUNTIME`` (see ``sandbox.docker``). There is no database and no key
of the site in it.
"""

from __future__ import annotations

import gc
import logging
import logging.config
import os
import socket
import threading
from typing import Any

from celery import signals

import sandbox
from sandbox.api import PlatformFault, Sandbox
from sandbox.cgroups import quota_file
from sandbox.cores import keep_to_own_core
from sandbox.folders import UMASK
from sandbox.selftest import failures
from wire.clock import clock_fault
from wire.jobs import BUILD_QUEUE, PLAY_QUEUE, WORKER_BEAT_TASK
from wire.logs import is_json, logging_config
from wire.transport import application
from workers.beats import Pulse, beat_of_refusal, echo_queue
from workers.canary import canary_ms
from workers.environment import broker_address, environment_fault, log_format, worker_folder
from workers.heartbeat import send_lightly
from workers.toolchain_report import languages_announce

if fault := environment_fault():
    raise SystemExit(fault)

AHEAD = int(os.environ.get("SANDBOX_AHEAD") or 2)
"""Two bots play most matches; with Docker each that waits costs 5 MB of memory."""

QUOTA = (
    "A CPU quota (%s) stalls this worker and its bots, which may lose by that. Take it away (--cpus of a container,"
    " CPUQuota= of a unit), and give the worker cores of its own instead (--cpuset-cpus, AllowedCPUs=)."
)

app = application("workers", broker_address())
app.conf.worker_consumer = "workers.consumer:PatientConsumer"
app.conf.imports = ["workers.tasks", "workers.lost_jobs", "workers.control"]
# The site tells how many processes are wanted and whether to take work; nobody else may publish there.
app.conf.worker_enable_remote_control = True
app.conf.node_name = f"play@{socket.gethostname()}"
"""This worker's name in all reports; Celery's option ``--hostname`` gives another one."""


@signals.setup_logging.connect
def set_up_logs(loglevel: int, **_: Any) -> None:
    """Log as the site does, with the match and attempt on every line."""
    logging.config.dictConfig(logging_config(as_json=is_json(log_format())))
    logging.getLogger().setLevel(loglevel)


@signals.celeryd_init.connect
def note_options(sender: str, conf: Any, options: dict[str, Any], **_: Any) -> None:
    """Note the worker's name, and how many processes will play, for the share of the cores that each gets."""
    app.conf.node_name = sender[:100]
    app.conf.worker_concurrency = options.get("concurrency") or conf.worker_concurrency


@signals.celeryd_init.connect
def let_bots_read(**_: Any) -> None:
    """Let bots, each of which is a user of its own, read what is unpacked for them, whoever starts this worker."""
    os.umask(UMASK)


@signals.celeryd_after_setup.connect
def listen_to_echoes(sender: str, instance: Any, **_: Any) -> None:
    """Consume, beside the queues of jobs, the one in which this worker hears itself."""
    app.conf.job_queues = [name for name in (PLAY_QUEUE, BUILD_QUEUE) if name in app.amqp.queues.consume_from]
    app.amqp.queues.select_add(echo_queue(app, sender))


@signals.worker_init.connect
def refuse_to_start(**_: Any) -> None:
    """Refuse to start where no match would come to its end, or bots would be run without walls.

    Administrators read the reason on the worker's page.
    """
    if fault := clock_fault(app.conf.broker_url) or walls_fault():
        send_lightly(app, WORKER_BEAT_TASK, beat_of_refusal(app, fault))
        raise SystemExit(f"This worker does not start. {fault}")


def walls_fault() -> str:
    """Return why no sandbox can be built here, or which of its walls are missing; empty if all stand."""
    try:
        walls = backend()
        app.conf.sandbox_name = walls.name
        return " ".join(failures(walls))
    except PlatformFault as reason:
        return str(reason)
    except Exception as error:  # Celery only logs what a receiver raises: the worker would play behind untried walls
        logging.exception("walls_untried")
        return f"Its walls could not be tried ({error!r}); its log says where."


@signals.worker_init.connect
def warn_of_quota(**_: Any) -> None:
    """Say once that this worker is stalled now and then: bots that wait for that seem to wait for something else."""
    if file := quota_file():
        logging.warning(QUOTA, file)


@signals.worker_init.connect
def time_canary(**_: Any) -> None:
    """Time a small piece of work while nothing else runs here."""
    app.conf.canary_ms = canary_ms()


@signals.worker_process_init.connect
def begin_playing(**_: Any) -> None:
    """Let each playing process keep to a core, and not search for garbage in what lives as long as it does."""
    keep_to_own_core(worker_folder(), app.conf.worker_concurrency or len(os.sched_getaffinity(0)))
    gc.freeze()


@signals.worker_ready.connect
def announce(sender: Any, **_: Any) -> None:
    """Begin to say how this worker is, and find out which languages work here; meanwhile the pool plays.

    Args:
        sender: Celery's consumer.
    """
    pulse = Pulse(app, sender, app.conf.sandbox_name)
    pulse.start()
    args = (app.conf.node_name, pulse.languages)
    threading.Thread(target=languages_announce, args=args, name="languages", daemon=True).start()


def backend(*, ahead: int = 0) -> Sandbox:
    """Return the sandbox that the environment asks for.

    Args:
        ahead: How many places for bots wait started; for whoever plays match after match.

    Raises:
        NoSandbox: it does not work here.
    """
    return sandbox.backend(os.environ.get("SANDBOX") or "auto", ahead=ahead)
