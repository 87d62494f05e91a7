"""Tells the site which languages bots may be written in: those whose self-test works behind this worker's walls."""

from __future__ import annotations

import os
import socket

import structlog
from celery import Celery

from sandbox import languages
from sandbox.api import PlatformFault, Sandbox
from sandbox.toolchains import Toolchain, toolchains
from workers.heartbeat import send_lightly
from workers.jobs import LANGUAGES_TASK, LanguagesReport, WorkingLanguage

NICENESS = 10

log = structlog.get_logger()


def languages_announce(app: Celery, sandbox: Sandbox) -> None:
    """Try the languages and send what works. Runs in a thread of its own, behind everything else on the machine."""
    os.nice(NICENESS)  # Linux counts niceness a thread, and what it starts inherits it
    try:
        found = [_working(toolchain) for toolchain in toolchains(sandbox, _wanted())]
    except (PlatformFault, languages.NoProgram) as error:
        log.exception("languages_not_announced", exc_info=error)
        return
    log.info("languages_announced", languages=[f"{language.title} {language.version}" for language in found])
    send_lightly(app, LANGUAGES_TASK, LanguagesReport(socket.gethostname()[:100], found))


def _wanted() -> list[languages.Language]:
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
    )
