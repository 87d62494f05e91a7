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

STACK_MIB = 8
"""Of a program's first thread: the system's own default. Compilers may take more; g++ takes 64 MiB."""
COMPILER_LIMITS = (
    (
        re.compile(r"Segmentation fault signal terminated program|rustc interrupted by SIGSEGV|StackOverflowError"),
        f"The compiler's stack is full ({STACK_MIB} MiB unless it takes more): the program nests something too deeply.",
    ),
    (
        re.compile(r"File size limit exceeded|File too large|SIGXFSZ"),
        f"The compiler would write a file larger than the {BUILD_LIMITS.file_mib} MiB that it may.",
    ),
)
"""What compilers print at a limit of ours, and what that means."""

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
"""Where make looks, in its order."""
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

    joined: bool = False
    """All source files beside the entry point make one program with it, unless a Makefile says what does."""
    older: tuple[str, re.Pattern[str]] | None = None
    """The language of which this one is the successor, and what shows in an error that a program is written in it."""

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

    def named_below(self, root: Path) -> list[str]:
        """Return the files with an entry point's name in any folder, if it takes a compiler to make them programs."""
        if not self.compiled:
            return []
        names = {PurePosixPath(name).name for name in self.entries}
        found = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.name in names and path.is_file()]
        return sorted(name for name in found if TESTS not in f"/{name}")

    def taken(self, root: Path, entry: str) -> str:
        """Say which files are the program, and why: sentences for the log of a build."""
        if entry in self.entries:
            why = "it has the name of one"
        elif "/" in entry.removeprefix("./"):
            why = "it has a main function"
        else:
            why = f"no other file at the top ends in {' or '.join(self.suffixes)}"
        program = f"{entry} is taken as the program in {self.title}, since {why}."
        if not self.joined:
            return program
        if any((root / name).is_file() for name in MAKEFILES):
            return f"{program} The Makefile says what is compiled."
        beside = self._beside(root, entry)
        return f"{program} Compiled together with it: {', '.join(beside)}." if beside else program

    def why_not_built(self, root: Path, entry: str, output: str) -> str:
        """Say in a sentence why a build has failed; empty if its output tells that best.

        Args:
            root: the unpacked bundle.
            entry: the entry point.
            output: what the build has printed.
        """
        if self.joined and "multiple definition of" in output and (beside := self._beside(root, entry)):
            mains = [name for name in beside if _MAIN.search(_text(root / name))]
            return (
                f"All sources beside {entry} make one program with it, and {' and '.join(mains or beside)} may define"
                " the same once more. Leave backups out of the upload."
            )
        limit = next((sentence for printed, sentence in COMPILER_LIMITS if printed.search(output)), "")
        return self.is_older(output) or limit

    def is_older(self, errors: str) -> str:
        """Say in a sentence that a program is written in an older language, if its errors show that; else empty."""
        if self.older and self.older[1].search(errors):
            return f"The program is written in {self.older[0]}, and this is {self.title}."
        return ""

    def _beside(self, root: Path, entry: str) -> list[str]:
        """Return the other source files in the entry point's folder, as paths in the bundle."""
        folder = (root / entry).parent
        files = sorted(path for path in folder.iterdir() if path.suffix in self.suffixes and path.is_file())
        return [path.relative_to(root).as_posix() for path in files if path != root / entry]

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
            if is_source and self.begins.search(_text(path)):
                yield name


_MAIN = re.compile(r"\bmain\s{0,9}\(")


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


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
