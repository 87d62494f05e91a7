"""The house bots as they lie in the source tree: ``games/<game>/bots/<bot>/`` with its files and a ``bot.toml``.

The modules in ``games/<game>/bots/starter/`` belong to every bot of the game in Python: they are added to its files, so
that no bot needs a copy in its folder.
"""

from __future__ import annotations

import errno
import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

FOLDER = Path(__file__).resolve().parent
DESCRIPTION = "bot.toml"
ABOUT = (DESCRIPTION, "README.md")
"""What tells of a house bot and is no part of it: a better word in it makes no new version."""
BOTS = "bots"
"""In the folder of a game."""
STARTER = "starter"


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a ``bot.toml``."""

    name: str
    game: str
    language: str
    declared_rating: float
    """Elo points; the mean of all house bots of a game holds the scale."""
    text: str
    """What it does, in a sentence."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A house bot and the files it consists of."""

    description: Description
    files: dict[str, bytes]
    """Content by path in the bundle."""


def housebots_read(folder: Path = FOLDER) -> list[HouseBot]:
    """Return all house bots, sorted by folder.

    Raises:
        ValueError: a ``bot.toml`` is not what it should be; the sentence names it.
    """
    return [_read(path.parent) for path in sorted(folder.glob(f"*/{BOTS}/*/{DESCRIPTION}"))]


@cache
def descriptions_read() -> tuple[Description, ...]:
    """Return what the source tree tells of its house bots, sorted by folder; it is read once.

    Raises:
        ValueError: as ``housebots_read``.
    """
    return tuple(_described(path.parent) for path in sorted(FOLDER.glob(f"*/{BOTS}/*/{DESCRIPTION}")))


def _read(folder: Path) -> HouseBot:
    return HouseBot(_described(folder), files_of(folder))


def _described(folder: Path) -> Description:
    path = folder / DESCRIPTION
    try:
        return msgspec.convert(tomllib.loads(path.read_text()), Description)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the files of a bot's folder, content by path; of a house bot with the modules it stands on."""
    files = _files(folder)
    if DESCRIPTION not in files:
        return files
    program = {name: content for name, content in files.items() if name not in ABOUT}
    return _modules(folder.parent / STARTER) | program if "main.py" in program else program


def paths_of(folder: Path) -> Iterator[Path]:
    """Make the files of a folder, in any order, without what is hidden or made by an interpreter.

    Links are followed: what they lead to belongs to the bot.

    Raises:
        OSError: a folder in it cannot be read, or a link leads nowhere, or to a folder that it lies in.
    """
    for place, folders, names in os.walk(folder, onerror=_refuse, followlinks=True):
        folders[:] = [name for name in folders if not _is_junk(name)]
        for path in (Path(place, name) for name in folders):
            if path.is_symlink() and Path(place).resolve().is_relative_to(path.resolve()):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        for path in (Path(place, name) for name in names if not _is_junk(name)):
            if path.is_symlink():
                path.stat()  # which fails if there is nothing
            if path.is_file():
                yield path


def _refuse(error: OSError) -> None:
    raise error


def _modules(starter: Path) -> dict[str, bytes]:
    return {module.name: module.read_bytes() for module in starter.glob("*.py")}


def _files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths_of(folder))}


def _is_junk(name: str) -> bool:
    return name.startswith(".") or name.endswith(".pyc")
