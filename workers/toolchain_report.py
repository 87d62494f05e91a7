"""Tells the site which languages bots may be written in: those whose self-test works behind this worker's walls.

``python -m workers.toolchain_report NAME`` tries them, sends what works in the name of that worker,
and prints their names.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import structlog
from kombu.exceptions import OperationalError

from sandbox import languages
from sandbox.api import PlatformFault
from sandbox.toolchains import Toolchain, toolchains
from wire.jobs import LANGUAGES_TASK, LanguagesReport, WorkingLanguage
from wire.transport import send
from workers.fork_lock import forks_wait

NICENESS = 10
_ENDS_WITH_THE_WORKER = ("setpriv", "--pdeathsig", "KILL")
_COMMAND = (*_ENDS_WITH_THE_WORKER, sys.executable, "-m", "workers.toolchain_report")

log = structlog.get_logger()


def languages_announce(worker: str, known: list[str]) -> None:
    """Have the languages tried by a process of its own, and wait for it; for a thread of the worker's main process.

    Sandboxes started by that thread itself would hold locks while the pool forks, and whoever is forked then would wait
    for them for ever.

    Args:
        worker: its name in reports.
        known: gets the names of the languages that work.
    """
    with forks_wait:  # whoever is forked meanwhile would keep the other end of its pipe open
        process = subprocess.Popen([*_COMMAND, worker], stdout=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
    with process:
        known[:] = process.communicate()[0].split()


def main(worker: str) -> int:
    """Try the languages behind everything else on the machine, and send what works."""
    from workers.app import app, backend, set_up_logs  # it imports this module

    set_up_logs(logging.INFO)
    os.nice(NICENESS)
    try:
        found = [_working(toolchain) for toolchain in toolchains(backend(), languages_wanted())]
        sys.stdout.write("".join(f"{language.name}\n" for language in found))
        send(app, LANGUAGES_TASK, LanguagesReport(worker, found))
    except (PlatformFault, OperationalError) as error:
        log.exception("languages_not_announced", exc_info=error)
        return 1
    log.info("languages_announced", languages=[f"{language.title} {language.version}" for language in found])
    return 0


def languages_wanted() -> list[languages.Language]:
    """Return those that ``LANGUAGES`` names, or all.

    Raises:
        NoProgram: it names none that is known.
    """
    names = os.environ.get("LANGUAGES", "").split()
    return [languages.language(name) for name in names] or list(languages.ALL)


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
