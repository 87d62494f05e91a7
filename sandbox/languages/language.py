"""The class ``Language``: how programs of a language are found, built and started; and parts of build scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from core.languages import BOT_LANGUAGES
from core.message import Message
from sandbox.api import Limits

BUILD_LIMITS = Limits(
    memory_mib=1024, open_files_max=1024, file_mib=48, tmp_mib=256, tmp_inodes_max=20_000, out_mib=48, pids_max=128
)
"""What a build step may use. Compilers need more than bots; ``out_mib`` is the most that the site stores."""
BUILD_CPU_MS = 120_000
"""CPU time of a build step."""

STACK_MIB = 8
"""The stack of a program's first thread: the default of Linux. Some compilers raise it; g++ uses 64 MiB."""
COMPILER_LIMITS = (
    (
        re.compile(r"Segmentation fault signal terminated program|rustc interrupted by SIGSEGV|StackOverflowError"),
        Message("build-compiler-stack", {"size": STACK_MIB}),
    ),
    (
        re.compile(r"File size limit exceeded|File too large|SIGXFSZ"),
        Message("build-compiler-file", {"size": BUILD_LIMITS.file_mib}),
    ),
)
"""Error messages of compilers that broke one of our limits, each with the message that explains it to the author."""

MACHINE_MIB = 192
"""The most memory that a virtual machine needs beside its heap."""

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
"""The names that make looks for, in its order."""
PROGRAM = "/bot/bot"
"""The path of a compiled program when it plays."""
MADE = "/tmp/program"  # noqa: S108 - the sandbox's own /tmp
"""The path to which compilers write the program: at its final path a folder of sources may lie, as a package of Go."""
PUT = f"rm -rf bot && cp {MADE} bot"
"""Shell commands that put the compiled program into its place, when the sources are needed no more."""


class NoProgram(ValueError):  # noqa: N818 - it tells what the upload lacks
    """An upload holds no program that can be run."""

    def __init__(self, why: Message) -> None:
        super().__init__(str(why))
        self.why = why


@dataclass(frozen=True, slots=True)
class Language:
    """How programs of one language are found, built and started. Commands see the bundle at /bot, in the sandbox."""

    name: str
    """Its name in ``BOT_LANGUAGES``, which has its title and the endings of its files."""
    packages: tuple[str, ...]
    """The Debian packages to install for the language."""
    entries: tuple[str, ...]
    """The paths of possible entry points in a bundle, best first."""
    build: Callable[[str], tuple[str, ...]]
    """Returns the command of the build step for an entry point; its exit code is 0 on success."""
    compiled: bool
    """Whether the build step writes the program to /out. If not, it checks the bundle, which is then played."""
    command: Callable[[str, Limits], tuple[str, ...]]
    """Returns the command that starts an entry point; virtual machines get the size of their heap from the limits."""
    version: tuple[str, ...]
    """The command that prints the version of the compiler or interpreter."""
    selftest: Mapping[str, str]
    """A bundle, from path to source text, whose program answers each line ``N`` with ``N + 1``."""
    libraries: tuple[str, ...] = ()
    """The command that prints the libraries for bots besides the standard library; it fails if they are missing."""
    begins: re.Pattern[str] | None = None
    """Matches a source file that contains a main function, where the language has one. It must take time linear in the
    text. The attack: an upload keeps the worker busy with this search, which runs outside of all limits."""

    compiler: str = ""
    """The compiler's name, where ``version`` does not call it, since it takes seconds to print its version."""
    makes: str = ""
    """The ending of what its compiler makes beside sources: ``main.js`` beside ``main.ts`` is no other program."""
    skipped: tuple[str, ...] = ()
    """Parts of paths in which no program is looked for: they hold tests, what tools generate, or libraries."""
    joined: bool = False
    """Whether all source files in the entry point's folder are compiled into one program: in C and C++ if there is no
    Makefile, in C# and Kotlin together with those in folders below it."""
    older: tuple[str, re.Pattern[str]] | None = None
    """An incompatible older language (Python 2), and the error messages that show that a program is written in it."""
    explain: Callable[[Path, str], Message | None] = lambda _root, _output: None
    """Returns the message that explains the errors of a build, from the unpacked bundle and what the build printed.
    Errors may name any file. The attack: the program lets them name one of the worker's, which would be read here."""

    @property
    def title(self) -> str:
        """The name that people read."""
        return BOT_LANGUAGES[self.name].title

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Endings of source files."""
        return BOT_LANGUAGES[self.name].suffixes

    @property
    def tool(self) -> str:
        """The name of the compiler or interpreter."""
        return self.compiler or PurePosixPath(self.version[0]).name

    @property
    def looks_for(self) -> str:
        """The names of files that can be the entry point, and the endings of the only file that can be, as ``*.py``."""
        return ", ".join([*self.entries, *(f"*{suffix}" for suffix in self.suffixes)])

    def top_entry(self, root: Path) -> str | None:
        """Return the first of ``entries`` that is at the top of an unpacked bundle; None if there is none."""
        return next((name for name in self.entries if "/" not in name and (root / name).is_file()), None)

    def named_entry(self, root: Path) -> str | None:
        """Return the first of ``entries`` that is in an unpacked bundle; None if there is none."""
        return next((name for name in self.entries if (root / name).is_file()), None)

    def only_entry(self, root: Path) -> str | None:
        """Return the name of the only source file at the top of an unpacked bundle; None for none or several."""
        sources = [path.name for path in root.iterdir() if path.suffix in self.suffixes and path.is_file()]
        if len(sources) != 1:
            return None
        # With "./", no interpreter or compiler takes the name for an option.
        return f"./{sources[0]}" if sources[0].startswith("-") else sources[0]

    def named_below(self, root: Path) -> list[str]:
        """Return the paths of files named like an entry point in any folder."""
        return [name for name in self.sources(root) if PurePosixPath(name).name in self._names]

    def sources(self, root: Path) -> list[str]:
        """Return the paths of all source files of an unpacked bundle that could be the program."""
        found = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.suffix in self.suffixes]
        return sorted(name for name in found if (root / name).is_file() and not self._is_skipped(name))

    def entry_below(self, root: Path) -> str | None:
        """Return the only file named like an entry point in any folder, or else the only source file; None: neither.

        Raises:
            NoProgram: several files have such a name.
        """
        named, every = self.named_below(root), self.sources(root)
        if len(named) > 1:
            raise NoProgram(Message("build-two-programs", {"names": ", ".join(named)}))
        return next(iter(named or (every if len(every) == 1 else ())), None)

    def taken(self, root: Path, entry: str) -> str:
        """Return sentences for the log of a build: which files are the program, and why."""
        if entry in self.entries:
            why = "it has the name of one"
        elif self.only_entry(root) == entry:
            why = f"no other file at the top ends in {' or '.join(self.suffixes)}"
        elif self.begins and self.begins.search(_text(root / entry)):
            why = "it has a main function"
        else:
            why = "no other file has the name or the ending of one"
        program = f"{entry} is taken as the program in {self.title}, since {why}."
        if not self.joined:
            return program
        if "make" in self.packages and any((root / name).is_file() for name in MAKEFILES):
            return f"{program} The Makefile says what is compiled."
        beside = self._beside(root, entry)
        return f"{program} Compiled together with it: {', '.join(beside)}." if beside else program

    def why_not_built(self, root: Path, entry: str, output: str) -> Message | None:
        """Return the message that explains why a build has failed; None if its output says it well enough."""
        if self.joined and _TWICE.search(output) and (beside := self._beside(root, entry)):
            mains = [name for name in beside if _MAIN.search(_text(root / name))]
            return Message("build-defined-twice", {"entry": entry, "names": ", ".join(mains or beside)})
        limit = next((why for printed, why in COMPILER_LIMITS if printed.search(output)), None)
        return self.is_older(output) or limit or self.explain(root, output)

    def is_older(self, errors: str) -> Message | None:
        """Return the message that a program is written in the older language, None if its errors do not show it."""
        if self.older and self.older[1].search(errors):
            return Message("build-older-language", {"older": self.older[0], "language": self.title})
        return None

    def _beside(self, root: Path, entry: str) -> list[str]:
        """Return the paths of the other source files in the entry point's folder."""
        folder = (root / entry).parent
        files = sorted(path for path in folder.iterdir() if path.suffix in self.suffixes and path.is_file())
        return [path.relative_to(root).as_posix() for path in files if path != root / entry]

    def beginning(self, root: Path) -> str | None:
        """Return the path of the only file with a main function, in any folder; None if there is no such file.

        If there are several, the only one with the name of an entry point is taken, the best name first.

        Raises:
            NoProgram: several files have a main function, and the name does not decide.
        """
        if not self.begins:
            return None
        found = [name for name in self.sources(root) if self.begins.search(_text(root / name))]
        for name in self.entries:
            if named := [path for path in found if PurePosixPath(path).name == name]:
                found = named
                break
        if len(found) < 2:
            return next(iter(found), None)
        raise NoProgram(Message("build-two-mains", {"names": ", ".join(found), "entry": self.entries[0]}))

    @property
    def _names(self) -> set[str]:
        """The names of entry points, without folders."""
        return {PurePosixPath(name).name for name in self.entries}

    def _is_skipped(self, name: str) -> bool:
        return any(part in f"/{name}" for part in self.skipped)


_MAIN = re.compile(r"\b[Mm]ain\s{0,9}\(")
_TWICE = re.compile(r"multiple definition of|error CS(?:0017|0101|0111):|error: (?:redeclaration|conflicting)")
"""Matches the errors of linkers, and of the compilers of C# and Kotlin, about names that two files define."""


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def heap_mib(limits: Limits) -> int:
    """Return the heap size in MiB for a virtual machine (JVM, V8): the memory limit minus what it needs besides.

    The machine itself gets three eighths of the limit, but at most ``MACHINE_MIB``. Without a heap size such a runtime
    sizes its heap by the computer's memory, and is killed at the program's limit.
    """
    return limits.memory_mib - min(limits.memory_mib * 3 // 8, MACHINE_MIB)


def compiled_program(entry: str, limits: Limits) -> tuple[str, ...]:
    """Return the command that starts a program built by ``compile_in_out``."""
    return (PROGRAM,)


def shell(script: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a shell script with arguments ``$1``, ``$2``, .. and stops at the first failure."""
    return ("/bin/sh", "-euc", script, "sh", *arguments)


def compile_in_out(script: str, entry: str) -> tuple[str, ...]:
    """Return the command of a build step: it copies the whole bundle to /out and runs a shell script there.

    The script compiles the entry point, its argument ``$1``.
    """
    return shell(f"cp -r /bot/. /out\ncd /out\n{script}", entry)
