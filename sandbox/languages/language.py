"""What a language is to the sandbox."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sandbox.api import Limits

BUILD_LIMITS = Limits(
    memory_mib=1024, open_files_max=1024, file_mib=48, tmp_mib=256, tmp_inodes_max=20_000, out_mib=48, pids_max=128
)
"""What a build step may use: compilers are larger than bots. What it leaves must fit into what the site stores."""
BUILD_CPU_MS = 120_000
"""CPU time of a build step."""

PROGRAM = "/bot/bot"
"""Where a compiled program is found when it is played."""
MADE = "/tmp/program"  # noqa: S108 - the sandbox's own /tmp
PUT = f"rm -rf bot && cp {MADE} bot"
"""Compilers make the program elsewhere, and it is put where it is played when sources are needed no more: these may lie
in a folder of its name, as a package of Go does."""


TESTS = "/test/java/"
"""Where Maven and Gradle keep what is compiled for tests alone."""


class NoProgram(ValueError):  # noqa: N818 - it tells what the upload lacks
    """The author's input holds no program that can be run; the text is a sentence for the author."""


@dataclass(frozen=True, slots=True)
class Language:
    """How programs of one language are found, built and started. Paths in commands are as seen inside: /bot."""

    name: str
    """Short and stable: it is stored with each version."""
    title: str
    """As people call it."""
    packages: tuple[str, ...]
    """The Debian packages that bring it."""
    entries: tuple[str, ...]
    """The paths where the entry point is looked for in a bundle, best first."""
    suffixes: tuple[str, ...]
    """Endings of its source files; the only such file at the top is an entry point under any name."""
    build: Callable[[str], tuple[str, ...]]
    """The command of the build step for an entry point; exit code 0 if all is well."""
    compiled: bool
    """The build leaves what is played in /out; else it only checks, and the bundle itself is played."""
    command: Callable[[str, Limits], tuple[str, ...]]
    """The command that starts an entry point; runtimes that size their heap are told by the limits."""
    version: tuple[str, ...]
    """The command that prints the version of what runs or compiles it."""
    selftest: Mapping[str, str]
    """A bundle that answers each line ``N`` with ``N + 1``: path to source text."""
    libraries: tuple[str, ...] = ()
    """The command that prints what bots may use besides the standard library; it fails where that is not installed."""
    begins: re.Pattern[str] | None = None
    """What stands in a file where a program can begin, if that tells it from others in whatever folder it lies. It must
    take time linear in the text. The attack: an upload that keeps a worker busy outside of all limits."""

    @property
    def looks_for(self) -> str:
        """What an entry point is, in words."""
        files = f"{', '.join(self.entries)}, or the only file that ends in {' or '.join(self.suffixes)}"
        return f"{files}, or in any folder the only one with a main function" if self.begins else files

    def top_entry(self, root: Path) -> str | None:
        """Return the first of ``entries`` that is at the top of an unpacked bundle."""
        return next((name for name in self.entries if "/" not in name and (root / name).is_file()), None)

    def named_entry(self, root: Path) -> str | None:
        """Return the first of ``entries`` that is in an unpacked bundle."""
        return next((name for name in self.entries if (root / name).is_file()), None)

    def only_entry(self, root: Path) -> str | None:
        """Return the only source file at the top of an unpacked bundle."""
        sources = [path.name for path in root.iterdir() if path.suffix in self.suffixes and path.is_file()]
        if len(sources) != 1:
            return None
        # So that no interpreter or compiler takes the name for an option.
        return f"./{sources[0]}" if sources[0].startswith("-") else sources[0]

    def beginning(self, root: Path) -> str | None:
        """Return the only file in any folder that begins a program, or the only one of several with an entry's name.

        Raises:
            NoProgram: which of several it is cannot be told.
        """
        found = sorted(self._beginnings(root))
        named = [path for path in found if PurePosixPath(path).name == self.entries[0]]
        for paths in (named, found):
            if len(paths) == 1:
                return paths[0]
        if not found:
            return None
        raise NoProgram(
            f"{' and '.join(found)} could each be the program, since each has a main function. Let only the one that"
            f" plays be named {self.entries[0]}."
        )

    def _beginnings(self, root: Path) -> Iterator[str]:
        if not self.begins:
            return
        for path in root.rglob("*"):
            name = path.relative_to(root).as_posix()
            is_source = path.suffix in self.suffixes and path.is_file() and TESTS not in f"/{name}"
            if is_source and self.begins.search(path.read_text(encoding="utf-8", errors="replace")):
                yield name


def heap_mib(limits: Limits) -> int:
    """Return how large the heap of a virtual machine may grow, so that the machine itself has room beside it.

    Such a runtime sees the memory of the whole computer and not the program's limit: told nothing, it would take a
    part of that, and be ended.
    """
    return limits.memory_mib * 5 // 8


def compiled_program(entry: str, limits: Limits) -> tuple[str, ...]:
    """Return the command that starts what ``compile_in_out`` has made."""
    return (PROGRAM,)


def shell(script: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a script with ``$1``, ``$2``, .. and ends at the first failure."""
    return ("/bin/sh", "-euc", script, "sh", *arguments)


def compile_in_out(script: str, entry: str) -> tuple[str, ...]:
    """Return a build step: the bundle is copied to /out, data files included, and the script run there with $1."""
    return shell(f"cp -r /bot/. /out\ncd /out\n{script}", entry)
