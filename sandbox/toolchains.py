"""Finds out which languages work on this machine: those whose self-test program builds and answers in the sandbox."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sandbox.api import BotFault, Limits, Program, Sandbox, TurnLimits
from sandbox.languages import ALL, BUILD_CPU_MS, BUILD_LIMITS, Language

TURN = TurnLimits(cpu_ms=2_000)
VERSION_CPU_MS = 10_000
DEFAULT = Limits()

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A language that works on this machine."""

    language: Language
    version: str
    """The version that the language's compiler or interpreter prints, for example ``3.11.2``."""
    libraries: str = ""
    """Libraries that bots may use besides the standard library, for example ``numpy 1.24.2``; may be empty."""


def toolchains(sandbox: Sandbox, known: Iterable[Language] = ALL, limits: Limits = DEFAULT) -> Iterator[Toolchain]:
    """Yield those of the known languages whose self-test program works in this sandbox (see ``works``).

    Raises:
        PlatformFault: the sandbox itself failed.
    """
    for language in known:
        version = version_of(sandbox, language)
        if version and works(sandbox, language, limits):
            yield Toolchain(language, version, libraries_of(sandbox, language))


def version_of(sandbox: Sandbox, language: Language) -> str | None:
    """Return the version of a language's compiler or interpreter in the sandbox, None if it is not installed.

    Raises:
        PlatformFault: the sandbox itself failed.
    """
    works, text = _printed(sandbox, language.version)
    number = re.search(r"(?<!\d)\d+(\.\d+)+", text)
    if number is None or not works:
        _warn(f"{language.title} is not offered here", text, language)
        return None
    return number[0]


def libraries_of(sandbox: Sandbox, language: Language) -> str:
    """Return the names and versions of libraries that bots in a language may use here; empty if there are none.

    Raises:
        PlatformFault: the sandbox itself failed.
    """
    if not language.libraries:
        return ""
    works, text = _printed(sandbox, language.libraries)
    if works:
        return text.strip()
    _warn(f"{language.title} has no libraries here", text, language)
    return ""


def _printed(sandbox: Sandbox, command: tuple[str, ...]) -> tuple[bool, str]:
    """Run a command; return whether it worked, and what it printed, or why it was stopped."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            # With the limits of a build: some compilers need more memory than a bot has only to print their version.
            result = sandbox.run(Program(Path(folder), command), BUILD_LIMITS, VERSION_CPU_MS)
        except BotFault as fault:
            return False, str(fault)
    return not result.exit_code, result.output


def works(sandbox: Sandbox, language: Language, limits: Limits = DEFAULT) -> bool:
    """Return whether the self-test program of a language builds in this sandbox, and answers within the limits.

    Raises:
        PlatformFault: the sandbox itself failed.
    """
    if why := _failure(sandbox, language, limits):
        _warn(f"{language.title} is not offered here", why, language)
    return not why


def _failure(sandbox: Sandbox, language: Language, limits: Limits) -> str:
    """Build the self-test program of a language and ask it; return the problem, empty if it works."""
    entry = next(iter(language.selftest))
    with tempfile.TemporaryDirectory() as source, tempfile.TemporaryDirectory() as built:
        for name, text in language.selftest.items():
            Path(source, name).write_text(text, encoding="utf-8")
        root, out = (Path(built), Path(built)) if language.compiled else (Path(source), None)
        try:
            result = sandbox.run(Program(Path(source), language.build(entry)), BUILD_LIMITS, BUILD_CPU_MS, out)
            if result.exit_code:
                return result.output or "its self-test program cannot be built."
            with sandbox.start(Program(root, language.command(entry, limits)), limits) as process:
                answer = process.ask(["41"], TURN).lines
        except BotFault as fault:
            return f"{fault} {fault.evidence.stderr}"
    return "" if answer == ("42",) else "its self-test program answers wrong."


def _warn(what: str, why: str, language: Language) -> None:
    """Log what a language lacks here, for an administrator who expects that it works."""
    last, packages = why.strip().rpartition("\n")[2], " ".join(language.packages)
    log.warning("%s: %s (Debian's packages for it: %s)", what, last, packages)
