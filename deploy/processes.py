"""The processes of an arena on one machine: their commands and environment variables."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from deploy.broker import Broker, broker_command
from deploy.settings import Settings

# With a local broker and few workers, they need no messages to each other.
CELERY = ("worker", "--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat")
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR")

PLAYERS = ("DOCKER_HOST", "SANDBOX_RUNTIME", "SANDBOX_AHEAD", "LANGUAGES", "LOG_FORMAT", "LEASE_SECONDS")
"""Settings of workers that an arena on one machine passes from its environment to its worker.

`docs/run/hosts.md` explains them."""


@dataclass(frozen=True, slots=True)
class Child:
    """A process that the supervisor starts and restarts."""

    name: str
    argv: tuple[str, ...]
    env: dict[str, str]

    @property
    def command(self) -> tuple[str, ...]:
        """The command to run; by the parent-death signal it ends with its supervisor, even if that is killed."""
        return ("setpriv", "--pdeathsig", "TERM", *self.argv)


def site_environment(settings: Settings, broker: Broker) -> dict[str, str]:
    """Return the environment of all processes that are trusted with secrets: site, managing worker, beat, commands."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "arena.settings.embedded",
        "DATA": str(settings.data),
        "PORT": str(settings.port),
        **url_variables(settings, broker),
    }


def url_variables(settings: Settings, broker: Broker) -> dict[str, str]:
    """Return the variables with the URLs of the broker and of the site."""
    return {"REDIS_URL": broker.site_url, "BANZUKE_URL": f"http://127.0.0.1:{settings.port}"}


def children(settings: Settings, broker: Broker) -> list[Child]:
    """Return the processes to supervise in the order in which they are ended: senders of messages before receivers.

    The broker is the last, since all others send their last messages to it.
    """
    site = site_environment(settings, broker)
    python = (sys.executable, "-m")
    cores = str(len(os.sched_getaffinity(0)))
    schedule = ("--loglevel", "WARNING", "--schedule", str(settings.data / "broker" / "beat"), "--pidfile", "")
    # The attack: a bot that escapes its sandbox finds a secret key or a database in its worker's environment. So the
    # playing worker inherits only named variables.
    inherited = {name: os.environ[name] for name in (*INHERITED, *PLAYERS) if name in os.environ}
    player = {
        **inherited,
        "REDIS_URL": broker.player_url,
        "SANDBOX": settings.sandbox,
        "WORKER_CACHE": str(settings.data / "workers"),
        # On SIGTERM the worker waits for running matches only for a moment, and then returns them to the site.
        "REMAP_SIGTERM": "SIGQUIT",
    }
    worker = (*python, "celery", "-q", "-A", "workers.app", *CELERY)
    tables = ("-n", "table@%h", "-Q", "table", "-P", "threads", "-c", str(settings.tables))
    manage = (*python, "celery", "-q", "-A", "arena.celery", *CELERY, "-Q", "report,manage", "-P", "solo")
    managers = ("", *range(2, settings.managers + 1))
    return [
        Child("play", (*worker, "-n", "play@%h", "-Q", "play,try,build", "-c", cores), player),
        *([Child("tables", (*worker, *tables), player)] if settings.tables else []),
        Child("web", (*python, "uvicorn", "arena.asgi:application", "--port", str(settings.port), *UVICORN), site),
        Child("beat", (*python, "celery", "-q", "-A", "arena.celery", "beat", *schedule), site),
        *(Child(f"manage{number}", (*manage, "-n", f"manage{number}@%h"), site) for number in managers),
        Child("broker", logged(broker_command(settings.data / "broker"), broker.log), dict(os.environ)),
    ]


def logged(command: tuple[str, ...], log: Path) -> tuple[str, ...]:
    """Return a command with its output appended to a file: the broker prints advice about the kernel at each start."""
    return ("sh", "-c", 'exec "$@" >>"$0" 2>&1', str(log), *command)


# Options of the web server. It logs problems but no requests, since its own workers send many.
UVICORN = (
    *("--host", "127.0.0.1", "--http", "arena.serving.connections:PromptProtocol", "--log-level", "warning"),
    *("--no-access-log", "--timeout-graceful-shutdown", "2"),
)
