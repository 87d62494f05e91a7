"""The languages of bots. Each of ``core.languages`` has a module, which holds how its programs are built and run."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from core.languages import BOT_LANGUAGES
from core.message import Message
from sandbox.languages.language import BUILD_CPU_MS, BUILD_LIMITS, Language, NoProgram

ALL: tuple[Language, ...] = tuple(import_module(f"{__name__}.{name}").LANGUAGE for name in BOT_LANGUAGES)

FILES_NAMED = 6
"""How many files the message about an upload without a program names."""
_RULES = (Language.top_entry, Language.named_entry, Language.only_entry, Language.beginning, Language.entry_below)
"""The rules of ``detect``, in the order in which they are tried."""
Found = tuple[Language, str]
"""A language and the entry point of a program in it."""

__all__ = ["ALL", "BUILD_CPU_MS", "BUILD_LIMITS", "Language", "NoProgram", "detect", "language"]


def language(name: str) -> Language:
    """Return a language by its name.

    Raises:
        NoProgram: there is no language of that name.
    """
    for known in ALL:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in ALL)
    raise NoProgram(Message("build-unknown-language", {"name": repr(name), "known": names}))


def detect(root: Path, name: str | None = None) -> tuple[Language, str]:
    """Return the language of an unpacked bundle and its entry point, the path of a file relative to ``root``.

    The rules are tried in this order, since a bot may bring scripts or tools in other languages along:

    1. a file at the top with the name of an entry point (``main.py``);
    2. a file in a folder with such a name;
    3. the only file at the top with the suffix of its language, unless a file in a folder could be the program, too;
    4. the only file in any folder that contains a main function;
    5. the only file in any folder with the name of an entry point, or else with the suffix of its language.

    Args:
        root: The unpacked bundle.
        name: The language, if the author has named it.

    Raises:
        NoProgram: no entry point was found, or several; its message says which files would do.
    """
    asked = ALL if name is None else (language(name),)
    for find in _RULES:
        found = [(candidate, entry) for candidate in asked if (entry := find(candidate, root))]
        made = {entry[: -len(suffix)] + one.makes for one, entry in found if one.makes for suffix in one.suffixes}
        found = [(candidate, entry) for candidate, entry in found if entry not in made]
        if found and find == Language.only_entry:
            found = _with_files_in_folders(found, asked, root)
        if len(found) > 1:
            raise NoProgram(Message("build-two-programs", {"names": ", ".join(entry for _, entry in found)}))
        if found:
            return found[0]
    held = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    known = [candidate for candidate in asked if any(name.endswith(candidate.suffixes) for name in held)]
    wanted = "; ".join(f"{candidate.title}: {candidate.looks_for}" for candidate in known or asked)
    if not held:
        raise NoProgram(Message("build-nothing", {"wanted": wanted}))
    holds, more = ", ".join(held[:FILES_NAMED]), max(0, len(held) - FILES_NAMED)
    raise NoProgram(Message("build-no-program", {"holds": holds, "more": more, "wanted": wanted}))


def _with_files_in_folders(only: list[Found], asked: Sequence[Language], root: Path) -> list[Found]:
    """Add files in folders that may be the program, if the files at the top may be helpers in another language.

    A file in ``src`` is always the program, and replaces those at the top.
    """
    known = [language for language, _ in only]
    others = [other for other in asked if other.compiled and other not in known]
    below = [(other, name) for other in others for name in other.named_below(root)]
    return [found for found in below if found[1].startswith("src/")] or only + below
