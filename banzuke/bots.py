"""Prepares bots named on the command line: a folder, a source file, ``house:NAME``, or any command line.

A folder or file is copied to the user's cache and built there. So an author can edit a bot while it plays in a league,
and a program that has not changed is not compiled again. Copies that have not been played for long are removed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

from banzuke.home_builds import BuildTooLong, build_run, command_here
from banzuke.text import UserError
from core.game import BadOptions, Game, JsonObject
from core.message import Message
from core.text import printable
from core.variants import options_read, ruleset_of
from games.housebots import HouseBot, files_of, housebots_of, paths_of
from games.registry import game_named, game_names
from games.words import ENGLISH, words_of
from sandbox import languages
from sandbox.api import BotFault, Limits, Program, Sandbox
from sandbox.folders import open_to_bots
from sandbox.languages import BUILD_CPU_MS, BUILD_LIMITS, Language
from sandbox.languages.python import INTERPRETER
from sandbox.toolchains import version_of

HOUSE = "house:"
RANDOM = "house:random"
"""Names a bot that every game has: where a game brings no house bot of this name, its rules answer at random."""
FILES_MAX = 2_000
BYTES_MAX = 64 << 20
"""The largest size of a bot's folder; a larger folder is probably not that of a bot."""
UNUSED_SECONDS = 60 * 86_400
"""A built bot that has not been played for this time is removed; no league runs that long."""
SUFFIXES = tuple(suffix for language in languages.ALL for suffix in language.suffixes)


@dataclass(frozen=True, slots=True)
class Bot:
    """A built program that can be started."""

    name: str
    digest: str
    """SHA-256 of its files, or of its command line."""
    command: str
    """The command that starts it without a sandbox."""
    root: Path | None = None
    """Its folder; None for a command line, which runs in the current folder."""
    argv: tuple[str, ...] = ()
    """The command that starts it in a sandbox, where ``root`` is mounted at /bot."""
    limits: Limits = field(default_factory=Limits)
    """What it may use in a sandbox: the limits of its game."""
    text: str = ""
    """The argument by which the user named it."""
    plays_at_random: str = ""
    """The game whose rules answer at random in its place, without any program; empty: it is a program."""


@dataclass(frozen=True, slots=True)
class Source:
    """The source files of a program that is not built yet."""

    name: str
    files: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        """SHA-256 of the files' paths and contents, 64 hexadecimal digits; ``name`` is no part of it."""
        sha256 = hashlib.sha256()
        for path, content in sorted(self.files.items()):
            sha256.update(f"{path}\0{len(content)}\0".encode() + content)
        return sha256.hexdigest()


def bot_ready(text: str, *, game: str, backend: Sandbox | None = None) -> Bot:
    """Build the bot that an argument of the command line names, and return it.

    Args:
        text: a folder, a file, ``house:NAME`` or a command line.
        game: the game of the house bots. ``house:random`` is there for each: if the game brings none, its rules play.
        backend: the sandbox in which the bot is built and played; None: no sandbox.

    Raises:
        UserError: the text names no bot, or the bot cannot be read or built.
        PlatformFault: the sandbox failed.
    """
    if text == RANDOM and game in game_names() and RANDOM not in house_bots(game):
        rules = f"{text} {game} {game_named(game).rules_version}"
        return Bot(text, hashlib.sha256(rules.encode()).hexdigest(), "", text=text, plays_at_random=game)
    try:
        source = source_of(text, game)
        if source:
            return _built(text, source, backend, limits_of(game))
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:  # else it is no path, but a long command line
            raise UserError(f"{text} cannot be made ready below {user_folder()}: {error}.") from error
    if backend:
        raise UserError(f"{text!r} is no folder or source file: only these can be played in a sandbox.")
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{text!r} is no command line: {error}.") from error
    if not words or not shutil.which(words[0]):
        here = words and os.sep not in words[0] and os.path.isfile(words[0])
        hint = f" A program that lies here is ./{words[0]}." if here else ""
        raise UserError(f"{text!r} is no folder, no source file ({' '.join(SUFFIXES)}) and no program.{hint}")
    return Bot(printable(text), hashlib.sha256(os.fsencode(text)).hexdigest(), text, text=text)


def limits_of(game: str) -> Limits:
    """Return what bots of a game may use in the arena, unless its administrators or organisers chose otherwise."""
    declared = game_named(game).bot_limits if game in game_names() else {}
    return Limits(**{each.name: declared[each.name] for each in fields(Limits) if each.name in declared})


def with_distinct_names(bots: Iterable[Bot]) -> tuple[Bot, ...]:
    """Return the bots; those with equal names (v1/bot and v2/bot) are renamed to the arguments that name them."""
    bots = tuple(bots)
    times = Counter(bot.name for bot in bots)
    return tuple(replace(bot, name=printable(bot.text)) if times[bot.name] > 1 else bot for bot in bots)


def as_argument(text: str) -> str:
    """Return the path of a bot as an argument: a name that begins with a dash would be taken for an option."""
    return f"./{text}" if text.startswith("-") else text


def source_of(text: str, game: str) -> Source | None:
    """Return the source files of the bot that an argument names, None if the argument is a command line.

    Raises:
        UserError: there is no such house bot, the folder is too large for a bot, or a file name is not UTF-8.
    """
    path = Path(text)
    if text.startswith(HOUSE):
        known = house_bots(game)
        if text not in known:
            raise UserError(f"There is no house bot {text!r}; there are: {', '.join(known) or RANDOM}.")
        return Source(text, known[text].files)
    if path.is_dir():
        return Source(printable(path.resolve().name), _without_folders_around(_with_valid_names(_files(path))))
    if path.is_file() and path.suffix in SUFFIXES:
        return Source(printable(path.name), _with_valid_names({path.name: path.read_bytes()}))
    if os.sep in text and " " not in text and not path.exists():
        raise UserError(f"There is no file or folder {text}.")
    return None


def house_bots(game: str) -> dict[str, HouseBot]:
    """Return the house bots of a game, sorted by folder, by the argument that names them.

    Raises:
        UserError: a ``bot.toml`` is wrong.
    """
    try:
        return {HOUSE + bot.description.name: bot for bot in housebots_of(game)}
    except ValueError as error:
        raise UserError(f"A house bot of {game} cannot be read: {error}.") from error


def house_bots_able(game: Game[Any], options: JsonObject, players: int) -> dict[str, float | None]:
    """Return the house bots that can play with these options at a table of so many players.

    The result has the declared rating of each (None: none was measured) by the argument that names it, as in
    ``house_bots``. ``options`` are all options of a match, as ``Game.reset`` takes them.

    Raises:
        UserError: a ``bot.toml`` is wrong, or the game does not know these options.
    """
    try:
        known = options_read(game, options)
    except BadOptions as error:
        raise UserError(f"A match cannot be played: {error}") from error
    ruleset = ruleset_of(game, known)
    more = known.keys() - game.rulesets[ruleset].keys()
    described = {word: bot.description for word, bot in house_bots(game.name).items()}
    able = {word: bot for word, bot in described.items() if bot.plays(ruleset, players, more)}
    return {word: bot.rating(ruleset, [players], more) for word, bot in able.items()}


def _files(folder: Path) -> dict[str, bytes]:
    sizes = [path.stat().st_size for path in islice(paths_of(folder), FILES_MAX + 1)]
    if len(sizes) > FILES_MAX or sum(sizes) > BYTES_MAX:
        raise UserError(
            f"{folder} holds more than {FILES_MAX} files or {BYTES_MAX >> 20} MiB: it is no bot's folder. Give the"
            " folder that holds the bot alone."
        )
    return files_of(folder)


def _with_valid_names(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files unchanged.

    Raises:
        UserError: a file has a name that is not UTF-8, which a zip cannot hold.
    """
    for name in files:
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise UserError(printable(f"The name of the file {name} is no text in UTF-8: rename it.")) from error
    return files


def _without_folders_around(files: dict[str, bytes]) -> dict[str, bytes]:
    """Remove leading folders that all files have in common from the paths, as the arena does with uploads."""
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or not all("/" in name for name in files):
        return files
    return _without_folders_around({name.partition("/")[2]: content for name, content in files.items()})


def _built(text: str, source: Source, backend: Sandbox | None, limits: Limits) -> Bot:
    """Return a built program from the cache; build it into the cache first if it is not there.

    ``text`` is the argument that names the program. It is built in the sandbox ``backend``, with None on this machine.

    Raises:
        UserError: the program cannot be built.
        OSError: the cache cannot be written.
    """
    home = cache_folder() / f"{source.digest[:32]}-{_build_steps_digest()}-{backend.name if backend else 'home'}"
    if not home.is_dir():
        fresh = Path(tempfile.mkdtemp(dir=home.parent, prefix="new-"))
        try:
            with open_to_bots():
                _build(source, fresh, backend)
            fresh.rename(home)
        except OSError:
            if not home.is_dir():  # another command may have built the same program meanwhile
                raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        _remove_unused(home.parent)
    os.utime(home)
    language, entry = _language(source, home / "bot")
    root = home / ("out" if language.compiled else "bot")
    argv = language.command(entry, limits)
    return Bot(source.name, source.digest, shlex.join(command_here(argv, {"bot": root})), root, argv, limits, text)


def _remove_unused(folder: Path) -> None:
    """Remove built bots that were not played for ``UNUSED_SECONDS``: an author may build hundreds of versions."""
    for home in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another command has removed it meanwhile
            if home.stat().st_mtime < time.time() - UNUSED_SECONDS:
                shutil.rmtree(home, ignore_errors=True)


def _build_steps_digest() -> str:
    """Return a digest of all build steps, so that bots are built again when a release changes a step."""
    steps = [language.build(language.entries[0]) for language in languages.ALL]
    return hashlib.sha256(repr(steps).encode()).hexdigest()[:8]


def user_folder() -> Path:
    """Return the folder of this user for files that can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "banzuke"


def cache_folder() -> Path:
    """Return the folder of built bots, which is created.

    Raises:
        UserError: its path has characters that would break build scripts.
    """
    folder = user_folder() / "bots"
    if not re.fullmatch(r"[\w/.+@-]+", str(folder)):
        raise UserError(f"Programs cannot be built below {str(folder)!r}: set XDG_CACHE_HOME to a path without spaces.")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _build(source: Source, folder: Path, backend: Sandbox | None) -> None:
    """Write the sources of a program to ``folder/bot`` and build it to ``folder/out``.

    It is built in the sandbox ``backend``, with None on this machine.

    Raises:
        UserError: the program cannot be built.
    """
    folder.chmod(0o755)  # a program in a sandbox runs as another user
    for part in ("bot", "out", "tmp"):
        (folder / part).mkdir()
    for name, content in source.files.items():
        path = folder / "bot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    language, entry = _language(source, folder / "bot")
    sys.stderr.write(f"Building {source.name} ({language.title}) ...\n")
    argv = language.build(entry)
    code, output = _run_in_sandbox(backend, language, argv, folder) if backend else _run_locally(language, argv, folder)
    if code:
        if backend:
            is_missing = version_of(backend, language) is None
        else:
            is_missing = language.version[0] != INTERPRETER and shutil.which(language.tool) is None
        if is_missing:
            where = f"in the sandbox {backend.name}" if backend else "here"
            raise UserError(_not_installed(language, where))
        why = language.why_not_built(folder / "bot", entry, output)
        words = f"{_words(why)}\n{output}".strip() if why else output.rstrip()
        raise UserError(printable(f"{source.name} is no valid {language.title}:\n{words}"))
    if output.strip():  # warnings, and in TypeScript errors of types, which keep no program from playing
        sys.stderr.write(f"{printable(output.rstrip())}\n")


def _words(message: Message) -> str:
    return words_of("", ENGLISH).sentence(message)


def _not_installed(language: Language, where: str = "here") -> str:
    packages = " ".join(language.packages)
    return f"{language.title} is not installed {where} ({language.tool} is missing). Debian: {packages}."


def _language(source: Source, folder: Path) -> tuple[Language, str]:
    try:
        return languages.detect(folder)
    except languages.NoProgram as error:
        raise UserError(f"{source.name}: {_words(error.why)}") from error


def _run_in_sandbox(backend: Sandbox, language: Language, argv: tuple[str, ...], folder: Path) -> tuple[int, str]:
    out = folder / "out" if language.compiled else None
    try:
        result = backend.run(Program(folder / "bot", argv), BUILD_LIMITS, BUILD_CPU_MS, out)
    except BotFault as fault:
        return 1, f"{_words(fault.why)}\n{fault.evidence.stderr}"
    return result.exit_code, result.output


def _run_locally(language: Language, argv: tuple[str, ...], folder: Path) -> tuple[int, str]:
    places = {part: folder / part for part in ("bot", "out", "tmp")}
    try:
        return build_run(command_here(argv, places), folder / "bot")
    except FileNotFoundError as error:
        raise UserError(_not_installed(language)) from error
    except BuildTooLong as late:
        return 1, str(late)
