"""Reads and checks the environment variables of a playing worker."""

from __future__ import annotations

import logging
import logging.config
import os
from collections.abc import Iterator
from pathlib import Path

import sandbox
from games.words import ENGLISH, words_of
from sandbox import languages
from sandbox.api import Sandbox
from sandbox.languages import Language, NoProgram
from wire.logs import is_json, logging_config
from wire.tls import options_fault, with_authorities
from wire.transport import BROKER_SCHEMES, is_url
from workers.artifacts import AUTHORITIES


def environment_fault() -> str | None:
    """Return a sentence on the first variable that is wrong, with the remedy; None if all are right."""
    return next(_faults(), None)


def broker_url() -> str:
    """Return ``REDIS_URL``, with the authorities in ``REQUESTS_CA_BUNDLE``, which are trusted for the broker, too."""
    return with_authorities(os.environ["REDIS_URL"], os.environ.get(AUTHORITIES, ""))


def log_format() -> str:
    """Return the wanted format of this worker's log, ``json`` or ``columns``."""
    return os.environ.get("LOG_FORMAT") or "columns"


def logs_set_up(level: int) -> None:
    """Configure this process's log as the site's, with the match and attempt on every line."""
    logging.config.dictConfig(logging_config(as_json=is_json(log_format())))
    logging.getLogger().setLevel(level)


def worker_folder() -> Path:
    """Return the folder of this worker's files, which all workers of this machine's user share."""
    return Path(os.environ.get("WORKER_CACHE") or Path.home() / ".cache" / "banzuke")


def backend(*, ahead: int = 0) -> Sandbox:
    """Return the sandbox that the variable ``SANDBOX`` names, ``auto`` if it is empty (see ``sandbox.backend``).

    Args:
        ahead: how many containers to start before bots need them, for a process that plays many matches.

    Raises:
        NoSandbox: the sandbox does not work on this machine.
    """
    return sandbox.backend(os.environ.get("SANDBOX") or "auto", ahead=ahead)


def languages_wanted() -> list[Language]:
    """Return the languages in the variable ``LANGUAGES``, all if it is empty; raise NoProgram for an unknown one."""
    names = os.environ.get("LANGUAGES", "").split()
    return [languages.language(name) for name in names] or list(languages.ALL)


def _faults() -> Iterator[str]:
    """Yield a sentence on each variable that is wrong."""
    url = os.environ.get("REDIS_URL")
    if not url:
        yield "REDIS_URL is not set: give this worker the URL of the broker, redis://user:password@host/0."
    elif not is_url(url, *BROKER_SCHEMES):  # not quoted: it may contain a password
        yield "REDIS_URL is no URL of a broker; write it as redis://user:password@host:port/0."
    elif fault := options_fault(url):
        yield f"REDIS_URL {fault}"
    if not (os.environ.get("SANDBOX_AHEAD") or "2").isdecimal():
        yield "SANDBOX_AHEAD is no number: set it to how many containers shall wait started for bots, or to 0."
    try:
        languages_wanted()
    except NoProgram as error:
        unknown = words_of("", ENGLISH).sentence(error.why)
        yield f"LANGUAGES cannot be read. {unknown} Write names with blanks between them, or leave it out for all."
    try:
        is_json(log_format())
    except ValueError as error:
        yield f"LOG_FORMAT cannot be read: {error}"
    try:
        worker_folder().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        yield f"WORKER_CACHE cannot be written: {error}. Set it to a folder that this worker may write to."
