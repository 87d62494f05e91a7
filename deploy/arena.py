"""``python -m deploy.arena``, which ``make run`` calls: checks the machine and runs a whole arena on it."""

from __future__ import annotations

import math
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import replace
from types import FrameType

import sandbox
from deploy.broker import Broker, broker_running
from deploy.data import data_locked, secrets_keep, secrets_load
from deploy.processes import children, site_environment, url_variables
from deploy.settings import ROOT, CannotStart, Settings, settings_read
from deploy.supervisor import RESTARTS_MAX, RESTARTS_SECONDS, Supervisor
from sandbox.api import PlatformFault

ANSWER_SECONDS_MAX = 60
"""If the site has not answered within this time, the terminal says so."""


def main() -> int:
    """Run the arena until a signal ends it (exit code 0), or it cannot start or a process dies too often (1)."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    try:
        return run(settings_read())
    except CannotStart as reason:
        say(str(reason))
        return 1
    except KeyboardInterrupt:
        say("Ended before the arena had started.")
        return 0


def run(settings: Settings) -> int:
    """Check the machine, bring the data up to date, and supervise the processes; return the exit code.

    Raises:
        CannotStart: a check or the preparation failed.
    """
    with data_locked(settings.data):
        port_check(settings.port)
        try:
            chosen = sandbox.backend(settings.sandbox).name
        except PlatformFault as reason:
            raise CannotStart(str(reason)) from reason
        say(f"Bots run in the sandbox: {chosen}")
        settings = replace(settings, sandbox=chosen)
        secrets = secrets_load(settings.data)
        with broker_running(
            settings.data / "broker",
            site_password=secrets["BROKER_PASSWORD"],
            player_password=secrets["PLAYER_PASSWORD"],
            memory_mib=settings.broker_memory_mib,
        ) as broker:
            # For commands typed beside a running arena; the arena's processes get these variables directly.
            secrets_keep(settings.data, {**secrets, **url_variables(settings, broker)})
            prepare(settings, broker)
        # The broker of the preparation has ended. The supervisor starts it again, like all other processes.
        ended_first = Supervisor(children(settings, broker), lambda: announce(settings)).run()
        sweep(settings.sandbox)
    if ended_first:
        say(
            f"The arena has ended because its part “{ended_first}” died more than {RESTARTS_MAX} times within"
            f" {RESTARTS_SECONDS} seconds; its last lines above (the broker's in {settings.data}/broker/broker.log) say"
            " why."
        )
        return 1
    say("The arena has ended. Everything is kept; make run goes on from here.")
    return 0


def port_check(port: int) -> None:
    """Raise CannotStart unless the site can listen on a port: it is in use, or only root may use it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CannotStart(
                f"Port {port} cannot be used ({error.strerror}); choose another one, for example: "
                f"make run PORT={port + 1 if port >= 1024 else 8000}"
            ) from error


def sweep(name: str) -> None:
    """Remove what killed workers have left behind in the sandbox ``name``; print it if that fails."""
    try:
        sandbox.sweep(name)
    except PlatformFault as reason:
        say(f"What bots may have left behind could not be removed. {reason}")


def prepare(settings: Settings, broker: Broker) -> None:
    """Bring the data up to date by a process that runs ``deploy.prepare``.

    Raises:
        CannotStart: a step failed; the output of the process says why.
    """
    step = [sys.executable, "-m", "deploy.prepare"]
    if subprocess.run(step, cwd=ROOT, env=site_environment(settings, broker), check=False).returncode:  # noqa: S603
        raise CannotStart("The data could not be brought up to date; the lines above say why.")


def announce(settings: Settings) -> None:
    """Print the URL when the first page answers; print a note when that takes longer than ``ANSWER_SECONDS_MAX``."""
    late_at = time.monotonic() + ANSWER_SECONDS_MAX
    while True:
        try:
            with urllib.request.urlopen(settings.url):  # noqa: S310 - http:// by construction
                say(f"\nThe arena is open: {settings.url}    (Ctrl-C ends it; its data are in {settings.data})\n")
                return
        except urllib.error.HTTPError as error:
            say(f"The first page of {settings.url} answers with an error ({error.code}); the log says why.")
            return
        except OSError:
            time.sleep(0.1)
        if time.monotonic() > late_at:
            say(f"{settings.url} has not answered for {ANSWER_SECONDS_MAX} seconds; the log says why if it never does.")
            late_at = math.inf


def say(sentence: str) -> None:
    """Print a sentence in the terminal at once."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def interrupted(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt for a signal, as for Ctrl-C, so that every ``with`` block cleans up."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
