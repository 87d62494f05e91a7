"""Reports to the site which programming languages work in this worker's sandbox.

``python -m workers.toolchain_report NAME`` tests them in the sandbox, reports those that work in the name of that
worker, and prints their names.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import structlog
from kombu.exceptions import OperationalError

from sandbox.api import PlatformFault
from sandbox.toolchains import Toolchain, toolchains
from wire.jobs import LANGUAGES_TASK
from wire.transport import application, send
from wire.worker_reports import LanguagesReport, WorkingLanguage
from workers.environment import backend, broker_url, languages_wanted, logs_set_up
from workers.fork_lock import fork_lock

NICENESS = 10
_ENDS_WITH_THE_WORKER = ("setpriv", "--pdeathsig", "KILL")
_COMMAND = (*_ENDS_WITH_THE_WORKER, sys.executable, "-m", "workers.toolchain_report")

log = structlog.get_logger()


def languages_announce(worker: str, known: list[str]) -> None:
    """Run this module's command in a process and wait for it; called in a thread of the worker's main process.

    The thread must not start sandboxes itself: they would hold locks while the pool forks, and the forked processes
    would wait for these locks for ever.

    Args:
        worker: the worker's name in reports.
        known: a list that is filled with the names of the languages that work.
    """
    with fork_lock:  # a process forked meanwhile would keep the pipe of this program open
        process = subprocess.Popen([*_COMMAND, worker], stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
    with process:
        known[:] = process.communicate()[0].split()


def main(worker: str) -> int:
    """Test the languages with low priority, send the report, and print the names of those that work.

    Returns the exit code, 1 if the sandbox failed or the report could not be sent.
    """
    logs_set_up(logging.INFO)
    os.nice(NICENESS)
    try:
        found = [_working(toolchain) for toolchain in toolchains(backend(), languages_wanted())]
        sys.stdout.write("".join(f"{language.name}\n" for language in found))
        send(application("workers", broker_url()), LANGUAGES_TASK, LanguagesReport(worker, found))
    except (PlatformFault, OperationalError) as error:
        log.exception("languages_not_announced", exc_info=error)
        return 1
    log.info("languages_announced", languages=[f"{language.title} {language.version}" for language in found])
    return 0


def _working(toolchain: Toolchain) -> WorkingLanguage:
    language = toolchain.language
    return WorkingLanguage(
        name=language.name,
        title=language.title,
        version=toolchain.version,
        entries=list(language.entries),
        suffixes=list(language.suffixes),
        libraries=toolchain.libraries,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
