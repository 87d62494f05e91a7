"""The processes of an arena on one machine: what each runs, and which environment it gets."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from deploy.broker import Broker, broker_command
from deploy.settings import Settings

# The broker is loopback's, messages are few: no clock or gossip between workers is needed.
CELERY = ("worker", "--loglevel", "INFO", "--without-gossip", "--without-mingle", "--without-heartbeat")
INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR")

PLAYERS = ("DOCKER_HOST", "SANDBOX_RUNTIME", "SANDBOX_AHEAD", "LANGUAGES", "LOG_FORMAT", "LEASE_SECONDS")
"""What of the settings of `docs/workers.md` a playing worker may be told at the start of an arena on one machine."""


@dataclass(frozen=True, slots=True)
class Child:
    """A process under the supervisor."""

    name: str
    argv: tuple[str, ...]
    env: dict[str, str]

    @property
    def command(self) -> tuple[str, ...]:
        """What to run: the parent-death signal ends the program with its supervisor, even if that was killed."""
        return ("setpriv", "--pdeathsig", "TERM", *self.argv)


def site_environment(settings: Settings, broker: Broker) -> dict[str, str]:
    """Return the environment of the trusted side: the site, the managing worker, beat, and commands."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "arena.settings.embedded",
        "DATA": str(settings.data),
        "PORT": str(settings.port),
        **addresses(settings, broker),
    }


def addresses(settings: Settings, broker: Broker) -> dict[str, str]:
    """Return where the trusted side finds the broker, and playing workers the site."""
    return {"REDIS_URL": broker.site_url, "BANZUKE_URL": f"http://127.0.0.1:{settings.port}"}


def player_environment(settings: Settings, broker: Broker) -> dict[str, str]:
    """Return the environment of the playing worker: made from nothing.

    The attack this stops: a bot that escapes its sandbox finds a secret key or a database in its worker's environment.
    """
    wanted = (*INHERITED, *PLAYERS)
    inherited = {name: os.environ[name] for name in wanted if name in os.environ}
    return {
        **inherited,
        "REDIS_URL": broker.player_url,
        "SANDBOX": settings.sandbox,
        "WORKER_CACHE": str(settings.data / "workers"),
        # On SIGTERM running matches get a moment to end; then they are given back instead of being waited for.
        "REMAP_SIGTERM": "SIGQUIT",
    }


def children(settings: Settings, broker: Broker) -> list[Child]:
    """Return the processes to supervise, in the order in which they end: whoever sends before whoever receives.

    The broker is the last: all others send their last messages to it.
    """
    site = site_environment(settings, broker)
    python = (sys.executable, "-m")
    cores = str(len(os.sched_getaffinity(0)))
    return [
        Child(
            "play",
            (*python, "celery", "-q", "-A", "workers.app", *CELERY, "-n", "play@%h", "-Q", "play,build", "-c", cores),
            player_environment(settings, broker),
        ),
        Child("web", (*python, "uvicorn", "arena.asgi:application", "--port", str(settings.port), *UVICORN), site),
        Child("beat", (*python, "celery", "-q", "-A", "arena.celery", "beat", *beat_options(settings.data)), site),
        Child(
            "manage",
            (*python, "celery", "-q", "-A", "arena.celery", *CELERY, "-Q", "report,manage", "-P", "solo"),
            site,
        ),
        Child("broker", logged(broker_command(settings.data / "broker"), broker.log), dict(os.environ)),
    ]


def logged(command: tuple[str, ...], log: Path) -> tuple[str, ...]:
    """Return a command whose output goes to a file: at each start the broker gives advice about the kernel."""
    return ("sh", "-c", 'exec "$@" >>"$0" 2>&1', str(log), *command)


# Workers are clients on this machine; only what goes wrong is worth a line, requests are not.
UVICORN = (*("--host", "127.0.0.1", "--log-level", "warning", "--no-access-log", "--timeout-graceful-shutdown", "2"),)


def beat_options(data: Path) -> tuple[str, ...]:
    """Return beat's options: its schedule is kept in DATA."""
    return ("--loglevel", "WARNING", "--schedule", str(data / "broker" / "beat"), "--pidfile", "")
