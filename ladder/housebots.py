"""The house bots as they lie in the source tree: ``bots/<game>/<bot>/`` with its files and a ``bot.toml``.

The modules in ``bots/<game>/starter/`` belong to every bot of the game: they are added to its files, so that no bot
needs a copy in its folder.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import msgspec

FOLDER = Path(__file__).resolve().parent.parent / "bots"
DESCRIPTION = "bot.toml"
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
    return [_read(path.parent) for path in sorted(folder.glob(f"*/*/{DESCRIPTION}"))]


def _read(folder: Path) -> HouseBot:
    path = folder / DESCRIPTION
    try:
        description = msgspec.convert(tomllib.loads(path.read_text()), Description)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    starter = {module.name: module.read_bytes() for module in (folder.parent / STARTER).glob("*.py")}
    return HouseBot(description, starter | _files(folder))


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != DESCRIPTION and path.suffix != ".pyc"
    }
