"""The languages bots are written in, one module each; all that is special to a language is in its module.

To add a language, write its module with one ``Language`` and list it in ``ALL``.
"""

from __future__ import annotations

from pathlib import Path

from sandbox.languages import python
from sandbox.languages.language import Language, NoProgram

ALL: tuple[Language, ...] = (python.LANGUAGE,)

__all__ = ["ALL", "Language", "NoProgram", "detect", "language"]


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

    Args:
        root: The unpacked bundle.
        name: The language, if the author has told; else the first one that finds an entry point.

    Raises:
        NoProgram: no entry point was found; the sentence tells what was looked for.
    """
    asked = ALL if name is None else (language(name),)
    for candidate in asked:
        if entry := candidate.entry(root):
            return candidate, entry
    wanted = "; ".join(f"for {candidate.title}: {candidate.looks_for}" for candidate in asked)
    raise NoProgram(f"No program was found at the top of the upload. Looked for, {wanted}.")
