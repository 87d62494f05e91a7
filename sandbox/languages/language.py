"""What a language is to the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path


class NoProgram(ValueError):  # noqa: N818 - it tells what the upload lacks
    """The author's input holds no program that can be run; the text is a sentence for the author."""


@dataclass(frozen=True, slots=True)
class Language:
    """How programs of one language are found, checked and started. Paths in commands are as seen inside: /bot."""

    name: str
    """Short and stable: it is stored with each version."""
    title: str
    """As people call it."""
    looks_for: str
    """What ``entry`` looks for, in words."""
    entry: Callable[[Path], str | None]
    """Find the entry point in an unpacked bundle, as a path relative to it."""
    command: Callable[[str], tuple[str, ...]]
    """The command that starts an entry point."""
    check: Callable[[str], tuple[str, ...]]
    """The command of the build step that checks the source; exit code 0 if it is well."""
    version: tuple[str, ...]
    """The command that prints the version of the language's runtime."""
    selftest: Mapping[str, str]
    """A bundle that answers each line ``N`` with ``N + 1``: path to source text."""
