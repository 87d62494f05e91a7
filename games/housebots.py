"""Reads the house bots of games: ``bots/<bot>/`` in the folder of a game has a bot's files and its ``bot.toml``.

The modules in ``bots/starter/`` are added to the files of every house bot of the game in Python, so that
no bot needs a copy in its folder. A game without any house bot has one if its ``stub.txt`` says how to answer: the
starter kit in Python, so that authors have an opponent from the first day.
"""

from __future__ import annotations

import errno
import os
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from core.variants import table_sizes
from games.registry import folder_of, game_named
from games.stubs import stub_read
from games.stubs.writer import LANGUAGES

DESCRIPTION = "bot.toml"
ABOUT = (DESCRIPTION, "README.md")
"""Files that describe a house bot and are not part of its program: a change of them makes no new version."""
BOTS = "bots"
"""Name of the folder of house bots in the folder of a game."""
STARTER = "starter"
"""Name of the folder of shared modules, and of kits written by hand, in the folder of house bots, and of the house bot
made of the game's stub."""
_STARTER_LANGUAGE = "python"
_STARTER_RATING = 600.0
"""The declared rating of that house bot, about that of random players: any would do, as no other bot fixes the scale.
"""


class Description(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a ``bot.toml``."""

    name: str
    game: str
    language: str
    text: str
    """A sentence on what the bot does."""
    declared_rating: float | None = None
    """Elo points in the open contest, which plays the first ruleset at its usual table size; None: the bot does not
    play there. The mean of these ratings over all house bots of a contest fixes the scale of its ratings."""
    rulesets: tuple[str, ...] = ()
    """The rulesets that it can play; none: the first one alone."""
    players: tuple[int, ...] = ()
    """The table sizes that it can play; none: all."""
    options: tuple[str, ...] = ()
    """Options that may be set over a ruleset in its matches."""
    ratings: dict[str, float] = {}
    """Elo points in other variants, by ruleset and table size: ``league0-2``, ``contest-4``."""

    def plays(self, ruleset: str, players: int, options: Collection[str] = ()) -> bool:
        """Return whether the bot can play a ruleset at a table of so many players.

        ``options`` are the names of the options that are set over the ruleset.
        """
        rules = game_named(self.game)
        known = self.rulesets or (next(iter(rules.rulesets)),)
        sizes = set(table_sizes(rules, ruleset)).intersection(self.players or rules.players)
        return ruleset in known and players in sizes and set(options) <= set(self.options)

    @property
    def plays_openly(self) -> bool:
        """Whether the bot plays in the open contest of its game: the first ruleset, at the usual table size."""
        rules = game_named(self.game)
        return self.plays(next(iter(rules.rulesets)), rules.players[0])

    def rating(self, ruleset: str, sizes: Collection[int], options: Collection[str] = ()) -> float | None:
        """Return the declared rating in Elo points in a contest; None if no rating was measured for it.

        Ratings are measured with one ruleset at one table size, without further options. So the result is None if
        ``sizes``, the contest's table sizes, are more than one, or if ``options``, the names of options set over the
        ruleset, are any.
        """
        rules = game_named(self.game)
        if len(sizes) != 1 or options:
            return None
        (players,) = sizes
        if (ruleset, players) == (next(iter(rules.rulesets)), rules.players[0]):
            return self.declared_rating
        return self.ratings.get(f"{ruleset}-{players}")


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A house bot: its description and the files of its bundle."""

    description: Description
    files: dict[str, bytes]
    """Content of each file by its path in the bundle."""


def housebots_of(game: str) -> list[HouseBot]:
    """Return the house bots of a game, sorted by folder; if there is none, the one that its stub makes.

    Not all of them play all variants of the game, see ``housebots_for``.

    Raises:
        ValueError: a ``bot.toml`` or the stub is wrong; the sentence names it.
    """
    folder = folder_of(game)
    if folder is None:
        return []
    paths = sorted(folder.glob(f"{BOTS}/*/{DESCRIPTION}"))
    found = [HouseBot(_description(path, game), files_of(path.parent)) for path in paths]
    return found or [*_starter(game, folder)]


def housebots_for(
    game: str, *, ruleset: str = "", sizes: Collection[int] = (), options: Collection[str] = ()
) -> list[HouseBot]:
    """Return the house bots that can play in a contest, sorted by folder.

    Args:
        game: key of the game.
        ruleset: the name of the contest's ruleset; empty: the game's first one.
        sizes: the table sizes of the contest, all of which a bot must be able to play; none: the game's usual one.
        options: the names of options that are set over the ruleset.

    Raises:
        ValueError: a ``bot.toml`` or the stub is wrong; the sentence names it.
    """
    rules = game_named(game)
    chosen, tables = ruleset or next(iter(rules.rulesets)), sizes or rules.players[:1]
    found = housebots_of(game)
    return [bot for bot in found if all(bot.description.plays(chosen, size, options) for size in tables)]


def _starter(game: str, folder: Path) -> Iterator[HouseBot]:
    """Yield the starter kit in Python as a house bot, if the game has a stub to make it of."""
    stub, writer = stub_read(folder), LANGUAGES[_STARTER_LANGUAGE]
    if stub:
        text = "The starter kit as it is: it answers legally, and no more. A bot that loses to it has a bug."
        description = Description(STARTER, game, _STARTER_LANGUAGE, text, _STARTER_RATING)
        yield HouseBot(description, {writer.file: writer.written(game_named(game).title, stub).encode()})


@cache
def descriptions_of(game: str) -> tuple[Description, ...]:
    """Return the descriptions of the house bots of a game. They are read once for each process.

    Raises:
        ValueError: a ``bot.toml`` or the stub is wrong; the sentence names it.
    """
    return tuple(bot.description for bot in housebots_of(game))


def housebots_fault(game: str) -> str:
    """Return why the house bots of a game cannot be read: a sentence for the administrator; empty if they can."""
    try:
        descriptions_of(game)
    except ValueError as error:
        return f"The house bots of {game} are left out, since one cannot be read: {error}."
    return ""


def _description(path: Path, game: str) -> Description:
    try:
        description = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Description)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if description.game != game:
        raise ValueError(f"{path}: it names the game {description.game}, but lies in the folder of {game}")
    rules = game_named(game)
    if unknown := set(description.rulesets) - set(rules.rulesets) or set(description.players) - set(rules.players):
        raise ValueError(f"{path}: {game} has no {unknown.pop()!r}, neither as a ruleset nor as a table size")
    if description.plays_openly and description.declared_rating is None:
        raise ValueError(f"{path}: a bot of the open contest needs a declared_rating")
    return description


def files_of(folder: Path) -> dict[str, bytes]:
    """Return the content of each file in the folder of a bot, by path.

    If it is a house bot, the files that describe it are left out, and the shared modules of its game are added.
    """
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(paths_of(folder))}
    if DESCRIPTION not in files:
        return files
    program = {name: content for name, content in files.items() if name not in ABOUT}
    if "main.py" not in program:
        return program
    return {module.name: module.read_bytes() for module in (folder.parent / STARTER).glob("*.py")} | program


def paths_of(folder: Path) -> Iterator[Path]:
    """Yield the paths of all files in a folder and its subfolders, in any order, except hidden and compiled ones.

    Symbolic links are followed.

    Raises:
        OSError: a folder cannot be read, or a link leads to nothing, or to a folder in which the link itself lies.
    """
    for place, folders, names in os.walk(folder, onerror=_refuse, followlinks=True):
        folders[:] = [name for name in folders if not _is_junk(name)]
        for path in (Path(place, name) for name in folders):
            if path.is_symlink() and Path(place).resolve().is_relative_to(path.resolve()):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
        for path in (Path(place, name) for name in names if not _is_junk(name)):
            if path.is_symlink():
                path.stat()  # raises an OSError if the link leads to nothing
            if path.is_file():
                yield path


def _refuse(error: OSError) -> None:
    raise error


def _is_junk(name: str) -> bool:
    return name.startswith(".") or name.endswith(".pyc")
