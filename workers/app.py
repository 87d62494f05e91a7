"""The playing Celery application: ``celery -A workers.app worker -Q play,try,build``; tables: ``-P threads -Q table``.

Environment variables: ``REDIS_URL`` (the broker), ``SANDBOX`` (docker, bubblewrap or auto), ``WORKER_CACHE`` (folder of
downloaded bots, default ``~/.cache/banzuke``), ``LANGUAGES`` (those to test and report, default all that are known),
``LOG_FORMAT`` (json for machines that collect logs), ``SANDBOX_AHEAD`` (how many containers each playing process starts
before bots need them, default 2), ``SANDBOX_RUNTIME`` (see ``sandbox.docker``). A worker needs no database, and no
secret of the site.
"""

from __future__ import annotations

import gc
import logging
import os
import socket
import threading
from typing import Any

from celery import signals
from celery.concurrency import get_implementation

from sandbox.api import PlatformFault
from sandbox.cores import keep_to_own_core
from sandbox.folders import UMASK
from sandbox.selftest import failures
from sandbox.surroundings import quota_file
from wire.clock import clock_fault
from wire.jobs import JOB_QUEUES, WORKER_BEAT_TASK
from wire.own_queues import OWN_PREFIX, is_guest
from wire.signing import broker_user
from wire.transport import application, undeclared_queue
from workers.beats import BeatSender, beat_of_refusal, self_ping_queue
from workers.canary import canary_ms
from workers.environment import backend, broker_url, environment_fault, logs_set_up, worker_folder
from workers.sending import send_best_effort
from workers.toolchain_report import languages_announce

if fault := environment_fault():
    raise SystemExit(fault)

AHEAD = int(os.environ.get("SANDBOX_AHEAD") or 2)
"""Containers started in advance, 2 since most matches have two bots; each costs 5 MB of memory with Docker."""

QUOTA = (
    "A CPU quota (%s) stalls this worker and its bots, which may lose by that. Take it away (--cpus of a container,"
    " CPUQuota= of a unit), and give the worker cores of its own instead (--cpuset-cpus, AllowedCPUs=)."
)

app = application("workers", broker_url())
app.conf.worker_consumer = "workers.consumer:PatientConsumer"
app.conf.imports = ["workers.tasks", "workers.lost_jobs", "workers.control"]
# The site sets the number of processes by remote control, and whether to take work; only it may publish there.
app.conf.worker_enable_remote_control = True
app.conf.node_name = f"play@{socket.gethostname()}"
"""This worker's name in all reports; Celery's option ``--hostname`` changes it."""
app.conf.tables = 0
"""How many tables a worker of tables holds at once, one in each of its threads; 0 for all other workers."""


@signals.setup_logging.connect
def set_up_logs(loglevel: int, **_: Any) -> None:
    """Configure logging as on the site, with the match and attempt on every line."""
    logs_set_up(loglevel)


@signals.celeryd_init.connect
def store_options(sender: str, conf: Any, options: dict[str, Any], **_: Any) -> None:
    """Store the worker's name and its number of processes, by which ``begin_playing`` assigns cores; set the umask.

    A worker with a pool of threads holds tables, one in each thread; its number of threads is stored as ``tables``.

    Bots, which run as other users, must be able to read the files that are unpacked for them.
    """
    os.umask(UMASK)
    app.conf.node_name = sender[:100]
    app.conf.worker_concurrency = options.get("concurrency") or conf.worker_concurrency
    has_threads = options.get("pool") is get_implementation("threads")
    app.conf.tables = app.conf.worker_concurrency if has_threads else 0


@signals.celeryd_after_setup.connect
def consume_self_pings(sender: str, instance: Any, **_: Any) -> None:
    """Consume the queue of this worker's pings to itself and, on the site's own hosts, the queues for own hosts alone.

    The job queues are consumed besides. If an own host's broker user has no right to the queues for own hosts
    (``wire.own_queues``), an older release has created the user: ``workers.consumer`` logs what to do then.
    """
    names = [name for name in JOB_QUEUES if name in app.amqp.queues.consume_from]
    own = [] if is_guest(broker_user(app.conf.broker_url)) else [f"{OWN_PREFIX}{name}" for name in names]
    for name in own:
        app.amqp.queues.select_add(undeclared_queue(name))
    app.conf.job_queues = [*names, *own]
    app.amqp.queues.select_add(self_ping_queue(app, sender))


@signals.worker_init.connect
def refuse_to_start(**_: Any) -> None:
    """End the worker if its clock is wrong, or if the sandbox does not isolate bots here.

    The reason is sent to the site, which shows it to administrators on the fleet page.
    """
    if fault := clock_fault(app.conf.broker_url) or isolation_fault():
        send_best_effort(app, WORKER_BEAT_TASK, beat_of_refusal(app, fault))
        raise SystemExit(f"This worker does not start. {fault}")


def isolation_fault() -> str:
    """Return why no sandbox can be made here, or which of its self-tests fail; empty if all pass."""
    try:
        found = backend()
        app.conf.sandbox_name = found.name
        return " ".join(failures(found))
    except PlatformFault as reason:
        return str(reason)
    except Exception as error:  # Celery only logs what a receiver raises: the worker would play in an untested sandbox
        logging.exception("sandbox_untested")
        return f"Its sandbox could not be tested ({error!r}); its log says where."


@signals.worker_init.connect
def examine_machine(**_: Any) -> None:
    """Measure this machine's speed before the first job, and log once that a CPU quota stalls this worker.

    Bots lose time by a quota that no measurement attributes to it.
    """
    if file := quota_file():
        logging.warning(QUOTA, file)
    app.conf.canary_ms = canary_ms()


@signals.worker_process_init.connect
def begin_playing(**_: Any) -> None:
    """Bind a new playing process to a core, and exclude what is loaded by now from garbage collection."""
    keep_to_own_core(worker_folder(), app.conf.worker_concurrency or len(os.sched_getaffinity(0)))
    gc.freeze()


@signals.worker_ready.connect
def begin_reporting(sender: Any, **_: Any) -> None:
    """Start two threads: one sends the beats of Celery's consumer, the other tests languages and reports which work."""
    beats = BeatSender(app, sender, app.conf.sandbox_name)
    beats.start()
    args = (app.conf.node_name, beats.languages)
    threading.Thread(target=languages_announce, args=args, name="languages", daemon=True).start()
