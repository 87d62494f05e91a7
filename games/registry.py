"""The registry of games: those in this folder, and those that installed packages bring.

A package brings a game by an entry point of the group ``banzuke.games``, whose name is the game's key::

    [project.entry-points."banzuke.games"]
    tron = "banzuke_tron:Tron"
    "tron.1" = "banzuke_tron.v1:Tron"

The object is a ``core.game.Game`` or a ``core.simple.SimpleGame``, or a class of such. A name with a dot is the game by
an earlier version of its rules: its replays can still be verified and drawn. A folder here that has rules is a game in
the same way, by the class that has the folder's name: ``back_to_the_code/`` has ``BackToTheCode``.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from core.game import Game
from core.simple_adapter import as_game

GROUP = "banzuke.games"
FOLDER = Path(__file__).resolve().parent
PLAYERS_MAX = 4
"""The most players of a game: the viewer has four colours, shapes and patterns."""
_KEY = re.compile(r"[a-z][a-z0-9_]{0,29}(\.[A-Za-z0-9_]{1,16})?")


class BrokenGame(ValueError):  # noqa: N818 - the field's word for it
    """An installed package cannot be used as a game. The text is a whole sentence for the administrator."""


def game_names() -> tuple[str, ...]:
    """Return the names of all games that can be used; those of this folder first."""
    return tuple(key for key in game_keys() if "." not in key)


def game_keys() -> tuple[str, ...]:
    """Return the names of all games that can be used, and ``<game>.<version>`` for earlier versions of their rules."""
    return tuple(key for key in _entries() if key in _own() or key not in games_broken())


def game_named(name: str, rules_version: str = "") -> Game[Any]:
    """Return the rules of a game.

    Args:
        name: the game's key.
        rules_version: empty: the newest one.

    Raises:
        KeyError: there is no such game, or it has no such version here.
        BrokenGame: the package that brings the game cannot be used.
    """
    newest = _usable(name)
    if rules_version in ("", newest.rules_version):
        return newest
    return _usable(f"{name}.{rules_version}")


def rules_versions(name: str) -> tuple[str, ...]:
    """Return the versions of a game's rules that can be played here, the newest first.

    Raises:
        KeyError: there is no such game.
        BrokenGame: the package that brings the game cannot be used.
    """
    earlier = [key for key in game_keys() if key.startswith(f"{name}.")]
    return (game_named(name).rules_version, *sorted(key.partition(".")[2] for key in earlier))


def versions_text(name: str) -> str:
    """Return the versions of a game's rules that can be played here, for a sentence: ``version 2``, ``versions 3, 2``.

    Raises:
        KeyError: there is no such game.
        BrokenGame: the package that brings the game cannot be used.
    """
    known = rules_versions(name)
    return f"version{'s' if len(known) > 1 else ''} {', '.join(known)}"


def game_missing(name: str) -> str:
    """Return why there is no game of a name here, in sentences for the user who has typed the name."""
    if name in games_broken():
        return games_broken()[name]
    return f"There is no game {name!r}; choose one of: {', '.join(game_names())}."


def game_part(name: str, part: str) -> Any:
    """Return a module of a game's package, such as its ``judge``.

    Raises:
        KeyError: there is no such game.
        ModuleNotFoundError: the package has no such module.
    """
    return importlib.import_module(f"{_package_of(_entries()[name])}.{part}")


def folder_of(name: str) -> Path | None:
    """Return the folder of a game's package, with its words, viewer, guide and bots; None if there is no such game.

    The name ``<key>.<version>`` stands for an earlier version of the game's rules.
    """
    return _folder(_entries()[name]) if name in game_keys() else None


def package_of(name: str) -> str:
    """Return the name of the installed package that brings a game; ``banzuke`` for those of this folder.

    Raises:
        KeyError: there is no such game.
    """
    return _distribution(_entries()[name]) if name not in _own() else "banzuke"


@cache
def games_broken() -> dict[str, str]:
    """Return why games of installed packages cannot be used: a sentence for the administrator by name of entry point.

    All foreign packages are imported, those of this folder are not.
    """
    broken = {}
    for name, entries in _foreign().items():
        try:
            if name in _own():
                raise BrokenGame("Banzuke itself has a game of this name: give it another one.")
            if len(entries) > 1:
                packages = " and ".join(sorted(_distribution(entry) for entry in entries))
                raise BrokenGame(f"Its name is claimed by the packages {packages}: uninstall one of them.")
            _loaded(name)
        except BrokenGame as error:
            broken[name] = f"The game {name} of the package {_distribution(entries[0])} cannot be used. {error}"
    return broken


def is_key(name: str) -> bool:
    """Return whether a name can be that of a game."""
    return "." not in name and _KEY.fullmatch(name) is not None


def forget() -> None:
    """Forget which games were found, so that a package that comes onto the path of Python now is found, too."""
    for cached in (games_broken, _own, _foreign, _loaded):
        cached.cache_clear()


@cache
def _own() -> dict[str, EntryPoint]:
    """Return the entry points that the folders of games here stand for, by name."""
    names = sorted(path.parent.name for path in FOLDER.glob("*/rules.py"))
    classes = {name: "".join(map(str.capitalize, name.split("_"))) for name in names}
    return {name: EntryPoint(name, f"{__package__}.{name}:{title}", GROUP) for name, title in classes.items()}


@cache
def _foreign() -> dict[str, list[EntryPoint]]:
    """Return the entry points of installed packages, by name."""
    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        found.setdefault(entry.name, []).append(entry)
    return dict(sorted(found.items()))


def _entries() -> dict[str, EntryPoint]:
    """Return the entry points of all games, usable or not, by name; those of this folder first."""
    return _own() | {name: entries[0] for name, entries in _foreign().items() if name not in _own()}


def _usable(key: str) -> Game[Any]:
    if key not in _own() and key in games_broken():
        raise BrokenGame(games_broken()[key])
    return _loaded(key)


@cache
def _loaded(name: str) -> Game[Any]:
    """Return the rules behind the entry point of a name.

    Raises:
        KeyError: there is no such entry point.
        BrokenGame: the package cannot be used.
    """
    entry = _entries()[name]
    if name in _own():
        game: Game[Any] = entry.load()()
        return game
    if not _KEY.fullmatch(name):
        raise BrokenGame("A name is made of small letters, digits and _, begins with a letter, and has 30 at most.")
    try:
        game = as_game(entry.load())
    except (Exception, SystemExit) as error:  # a package may do anything at import; the other games must go on
        raise BrokenGame(f"It cannot be imported: {type(error).__name__}: {error}") from error
    _check(name, game)
    return game


def _check(name: str, game: Game[Any]) -> None:
    """Raise BrokenGame unless a game can be named and set up matches; ``banzuke game check`` tests much more."""
    key, _, version = name.partition(".")
    kinds = {"name": str, "title": str, "rules_version": str, "players": tuple, "rulesets": Mapping}
    for attribute, kind in kinds.items():
        if not isinstance(getattr(game, attribute, None), kind) or not getattr(game, attribute):
            raise BrokenGame(f"Its class has no {attribute}, or a wrong one.")
    if game.name != key:
        raise BrokenGame(f"Its class has the name {game.name!r}, and its entry point {key!r}: they must be equal.")
    if version and game.rules_version != version:
        raise BrokenGame(f"Its rules have version {game.rules_version!r}, and its entry point says {version!r}.")
    if not set(game.players) <= set(range(2, PLAYERS_MAX + 1)):
        raise BrokenGame(f"It is for {game.players} players, but 2 to {PLAYERS_MAX} can play a match.")
    if _folder(_entries()[name]) is None:
        raise BrokenGame("It is a single module: make it a package, whose folder can hold words, viewer and bots.")
    try:
        state = game.reset([0], game.players[0], next(iter(game.rulesets.values())))
        begun = game.setting(state, 0), game.frame(state, 0)
    except Exception as error:
        raise BrokenGame(f"No match can begin: {type(error).__name__}: {error}.") from error
    try:
        msgspec.json.encode(begun)
    except (TypeError, ValueError) as error:
        raise BrokenGame(f"Its setting or its first frame cannot be written as JSON: {error}.") from error


def _folder(entry: EntryPoint) -> Path | None:
    """Return the folder of the package in which a game's class lies; None if it lies in no package."""
    if entry.name in _own():
        return FOLDER / entry.name
    spec = find_spec(_package_of(entry))
    return Path(spec.submodule_search_locations[0]) if spec and spec.submodule_search_locations else None


def _package_of(entry: EntryPoint) -> str:
    """Return the name of the package in which a game's class lies; that of its module if it lies in no package."""
    spec = find_spec(entry.module)
    return spec.parent if spec is not None and spec.parent else entry.module


def _distribution(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module
