"""The languages bots are written in, one module each; all that is special to a language is in its module.

To add a language, write its module with one ``Language`` and list it in ``ALL``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sandbox.languages import c, cpp, go, java, javascript, python, ruby, rust
from sandbox.languages.language import BUILD_CPU_MS, BUILD_LIMITS, Language, NoProgram

ALL: tuple[Language, ...] = tuple(module.LANGUAGE for module in (python, c, cpp, java, javascript, rust, go, ruby))

NAMES_TOLD = 6
"""So many files of an upload without a program are named."""
Found = tuple[Language, str]

__all__ = ["ALL", "BUILD_CPU_MS", "BUILD_LIMITS", "Language", "NoProgram", "detect", "language"]


def language(name: str) -> Language:
    """Return a language by its name.

    Raises:
        NoProgram: there is none of that name.
    """
    for known in ALL:
        if known.name == name:
            return known
    raise NoProgram(f"The language {name!r} is not known here. Known are: {', '.join(known.name for known in ALL)}.")


def detect(root: Path, name: str | None = None) -> tuple[Language, str]:
    """Return the language of an unpacked bundle and its entry point, the path of a file relative to ``root``.

    A file with the name of an entry point goes before one that is the only one of its kind, and at the top before one
    in a folder: a Python bot may bring a script, or the sources of a tool, in another language along. At last, files
    in any folder are read for what begins a program. Where a program in a folder may be meant and the only file of its
    kind at the top may be its helper, or the other way round, the author has to tell.

    Args:
        root: The unpacked bundle.
        name: The language, if the author has told.

    Raises:
        NoProgram: no entry point was found, or several; the sentence tells what was looked for.
    """
    asked = ALL if name is None else (language(name),)
    for find in (Language.top_entry, Language.named_entry, Language.only_entry, Language.beginning):
        found = [(candidate, entry) for candidate in asked if (entry := find(candidate, root))]
        if found and find == Language.only_entry:
            found = _with_those_below(found, asked, root)
        if len(found) > 1:
            names = " and ".join(entry for _, entry in found)
            raise NoProgram(f"{names} could each be the program. Leave one of them, or tell the language.")
        if found:
            return found[0]
    wanted = "; ".join(f"for {candidate.title}: {candidate.looks_for}" for candidate in asked)
    raise NoProgram(f"No program was found at the top of the upload, which holds {_held(root)}. Looked for, {wanted}.")


def _with_those_below(only: list[Found], asked: Sequence[Language], root: Path) -> list[Found]:
    """Return also what may be the program in a folder, where those at the top may be helpers in another language.

    In src lie programs, not helpers: what is there is the program.
    """
    known = [language for language, _ in only]
    below = [(other, name) for other in asked if other not in known for name in other.named_below(root)]
    return [found for found in below if found[1].startswith("src/")] or only + below


def _held(root: Path) -> str:
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    more = f" and {len(names) - NAMES_TOLD} more" if len(names) > NAMES_TOLD else ""
    return ", ".join(names[:NAMES_TOLD]) + more if names else "no file"
