"""What a bot is on the command line: a folder, a source file, ``house:NAME``, or any command line.

A folder or file is read once and built once: what is played is a copy under the user's cache, so that editing a bot
does not disturb the league it plays in, and a program that has not changed is not compiled again. What nobody has
played for long is removed.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from banzuke.text import UserError
from core.text import printable
from games.housebots import files_of, housebots_read, paths_of
from sandbox import languages
from sandbox.api import BotFault, Limits, Program, Sandbox
from sandbox.folders import open_to_bots
from sandbox.languages import BUILD_CPU_MS, BUILD_LIMITS, Language
from sandbox.languages.python import INTERPRETER
from sandbox.toolchains import version_of

HOUSE = "house:"
FILES_MAX = 2_000
BYTES_MAX = 64 << 20
"""No bot is larger; a folder that is may be the wrong one."""
UNUSED_SECONDS = 60 * 86_400
"""What was built is kept for so long after it was played last; longer than any league runs."""
SUFFIXES = tuple(suffix for language in languages.ALL for suffix in language.suffixes)
_INSIDE = re.compile(r"(?<![\w.])/(bot|out|tmp)(?!\w)")
"""The folders that the commands of languages name, as a sandbox has them."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A program that is ready to be started."""

    name: str
    digest: str
    """SHA-256 of its files, or of its command line."""
    command: str
    """What starts it without walls."""
    root: Path | None = None
    """Its folder; None: it is a command line, and runs where the user is."""
    argv: tuple[str, ...] = ()
    """What starts it inside walls, where ``root`` is mounted at /bot."""
    text: str = ""
    """What stands for it on the command line."""


@dataclass(frozen=True, slots=True)
class Source:
    """A program that is not built yet."""

    name: str
    files: Mapping[str, bytes]

    @property
    def digest(self) -> str:
        """SHA-256 of paths and contents."""
        sha256 = hashlib.sha256()
        for path, content in sorted(self.files.items()):
            sha256.update(f"{path}\0{len(content)}\0".encode() + content)
        return sha256.hexdigest()


def bot_ready(text: str, *, game: str, walls: Sandbox | None = None) -> Bot:
    """Find out what a text means, and build it.

    Args:
        text: a folder, a file, ``house:NAME`` or a command line.
        game: the game whose house bots are meant.
        walls: where it is to be built and played; None: nowhere but here.

    Raises:
        UserError: it is none of these, or cannot be read or built.
        PlatformFault: the sandbox failed.
    """
    try:
        source = source_of(text, game)
        if source:
            return _built(text, source, walls)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:  # else it is no path, but a long command line
            raise UserError(f"{text} cannot be made ready below {user_folder()}: {error}.") from error
    if walls:
        raise UserError(f"{text!r} is no folder or source file: only these can be played in a sandbox.")
    _refuse_no_program(text)
    return Bot(printable(text), hashlib.sha256(os.fsencode(text)).hexdigest(), text, text=text)


def told_apart(bots: Iterable[Bot]) -> tuple[Bot, ...]:
    """Return the bots, those that share a name under what stands for them: old and new may lie in v1/bot and v2/bot."""
    bots = tuple(bots)
    times = Counter(bot.name for bot in bots)
    return tuple(replace(bot, name=printable(bot.text)) if times[bot.name] > 1 else bot for bot in bots)


def as_argument(text: str) -> str:
    """Return how a command line names a bot: a folder or file whose name begins with a dash would be an option."""
    return f"./{text}" if text.startswith("-") else text


def _refuse_no_program(text: str) -> None:
    """Raise a UserError unless a command line begins with a program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UserError(f"{text!r} is no command line: {error}.") from error
    if not words or not shutil.which(words[0]):
        here = words and os.sep not in words[0] and os.path.isfile(words[0])
        hint = f" A program that lies here is ./{words[0]}." if here else ""
        raise UserError(f"{text!r} is no folder, no source file ({' '.join(SUFFIXES)}) and no program.{hint}")


def source_of(text: str, game: str) -> Source | None:
    """Return the files that a text stands for, None if it is a command line.

    Raises:
        UserError: there is no such house bot, or the folder is none of a bot, or the name of a file is no text.
    """
    path = Path(text)
    if text.startswith(HOUSE):
        return _house(text, game)
    if path.is_dir():
        return Source(printable(path.resolve().name), _without_folders_around(_named(_files(path))))
    if path.is_file() and path.suffix in SUFFIXES:
        return Source(printable(path.name), _named({path.name: path.read_bytes()}))
    if os.sep in text and " " not in text and not path.exists():
        raise UserError(f"There is no file or folder {text}.")
    return None


def _house(text: str, game: str) -> Source:
    known = {bot.description.name: bot for bot in housebots_read() if bot.description.game == game}
    if text.removeprefix(HOUSE) not in known:
        raise UserError(f"There is no house bot {text!r}; there are: {', '.join(HOUSE + name for name in known)}.")
    return Source(text, known[text.removeprefix(HOUSE)].files)


def _files(folder: Path) -> dict[str, bytes]:
    sizes = [path.stat().st_size for path in islice(paths_of(folder), FILES_MAX + 1)]
    if len(sizes) > FILES_MAX or sum(sizes) > BYTES_MAX:
        raise UserError(
            f"{folder} holds more than {FILES_MAX} files or {BYTES_MAX >> 20} MiB: it is no bot's folder. Give the"
            " folder that holds the bot alone."
        )
    return files_of(folder)


def _named(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files, unless one has a name that no zip can hold."""
    for name in files:
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise UserError(printable(f"The name of the file {name} is no text in UTF-8: rename it.")) from error
    return files


def _without_folders_around(files: dict[str, bytes]) -> dict[str, bytes]:
    """Drop the folders that everything lies in, as the arena does."""
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1 or not all("/" in name for name in files):
        return files
    return _without_folders_around({name.partition("/")[2]: content for name, content in files.items()})


def _built(text: str, source: Source, walls: Sandbox | None) -> Bot:
    """Build a program, or find it built."""
    home = cache_folder() / f"{source.digest[:32]}-{_recipes()}-{walls.name if walls else 'home'}"
    if not home.is_dir():
        fresh = Path(tempfile.mkdtemp(dir=home.parent, prefix="new-"))
        try:
            with open_to_bots():
                _build(source, fresh, walls)
            fresh.rename(home)
        except OSError:
            if not home.is_dir():  # else another command was faster, with the same program
                raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        _remove_unused(home.parent)
    os.utime(home)
    language, entry = _language(source, home / "bot")
    root = home / ("out" if language.compiled else "bot")
    argv = language.command(entry, Limits())
    return Bot(source.name, source.digest, shlex.join(_at_home(argv, {"bot": root})), root, argv, text)


def _remove_unused(folder: Path) -> None:
    """Remove what was built and not played for long: an author builds hundreds of versions."""
    for home in folder.iterdir():
        with contextlib.suppress(FileNotFoundError):  # another command was faster
            if home.stat().st_mtime < time.time() - UNUSED_SECONDS:
                shutil.rmtree(home, ignore_errors=True)


def _recipes() -> str:
    """Return what changes with any build step: what another release has built is built anew."""
    steps = [language.build(language.entries[0]) for language in languages.ALL]
    return hashlib.sha256(repr(steps).encode()).hexdigest()[:8]


def user_folder() -> Path:
    """Return where this user's files are kept that can be made again."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "banzuke"


def cache_folder() -> Path:
    """Return the folder of what was built.

    Raises:
        UserError: its path has signs in it that build scripts would trip over.
    """
    folder = user_folder() / "bots"
    if not re.fullmatch(r"[\w/.+@-]+", str(folder)):
        raise UserError(f"Programs cannot be built below {str(folder)!r}: set XDG_CACHE_HOME to a path without spaces.")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _build(source: Source, folder: Path, walls: Sandbox | None) -> None:
    """Unpack a program to ``bot`` and build it to ``out``.

    Raises:
        UserError: it cannot be built.
    """
    folder.chmod(0o755)  # a program inside walls is another user
    for part in ("bot", "out", "tmp"):
        (folder / part).mkdir()
    for name, content in source.files.items():
        path = folder / "bot" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    language, entry = _language(source, folder / "bot")
    sys.stderr.write(f"Building {source.name} ({language.title}) ...\n")
    argv = language.build(entry)
    code, output = _run_inside(walls, language, argv, folder) if walls else _run_at_home(language, argv, folder)
    if code:
        _refuse_no_tool(language, walls)
        words = "\n".join(filter(None, (language.why_not_built(folder / "bot", entry, output), output))).rstrip()
        raise UserError(printable(f"{source.name} is no valid {language.title}:\n{words}"))


def _refuse_no_tool(language: Language, walls: Sandbox | None) -> None:
    """Raise a UserError if a build has failed for want of a compiler or interpreter: the program has no fault then."""
    tool = language.version[0]
    if walls:
        is_missing = version_of(walls, language) is None
    else:
        is_missing = tool != INTERPRETER and shutil.which(Path(tool).name) is None
    if is_missing:
        where = f"inside the walls of {walls.name}" if walls else "here"
        raise UserError(_not_installed(language, where))


def _not_installed(language: Language, where: str = "here") -> str:
    tool = Path(language.version[0]).name
    return f"{language.title} is not installed {where} ({tool} is missing). Debian: {' '.join(language.packages)}."


def _language(source: Source, folder: Path) -> tuple[Language, str]:
    try:
        return languages.detect(folder)
    except languages.NoProgram as error:
        raise UserError(f"{source.name}: {error}") from error


def _run_inside(walls: Sandbox, language: Language, argv: tuple[str, ...], folder: Path) -> tuple[int, str]:
    out = folder / "out" if language.compiled else None
    try:
        result = walls.run(Program(folder / "bot", argv), BUILD_LIMITS, BUILD_CPU_MS, out)
    except BotFault as fault:
        return 1, f"{fault.sentence}\n{fault.evidence.stderr}"
    return result.exit_code, result.output


def _run_at_home(language: Language, argv: tuple[str, ...], folder: Path) -> tuple[int, str]:
    places = {part: folder / part for part in ("bot", "out", "tmp")}
    try:
        return _ran(_at_home(argv, places), folder / "bot")
    except FileNotFoundError as error:
        raise UserError(_not_installed(language)) from error
    except subprocess.TimeoutExpired:
        return 1, f"The build took more than {BUILD_CPU_MS // 1_000} seconds."


def _ran(argv: list[str], folder: Path) -> tuple[int, str]:
    """Run a command; return its exit code and output.

    It has a process group of its own, which ends with it, whatever happens: compilers are started by a shell or by
    make, and would go on for ever after a build that takes too long or is interrupted.

    Raises:
        FileNotFoundError: there is no such program.
        TimeoutExpired: it took longer than a build may.
    """
    with subprocess.Popen(  # noqa: S603 - the user's own program on the user's own machine
        argv,
        cwd=folder,
        text=True,
        errors="replace",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        process_group=0,
    ) as process:
        try:
            output, _ = process.communicate(timeout=BUILD_CPU_MS / 1_000)
        finally:
            with contextlib.suppress(ProcessLookupError):  # all have ended by themselves
                os.killpg(process.pid, signal.SIGKILL)
    return process.returncode, output


def _at_home(argv: tuple[str, ...], places: Mapping[str, Path]) -> list[str]:
    """Return a command of the sandbox as it is here: other folders, and tools where PATH has them.

    Bots in Python run by the interpreter of this command: it has numpy, as that of the arena.
    """
    program, *rest = [_INSIDE.sub(lambda found: str(places.get(found[1], found[0])), word) for word in argv]
    return [_tool(program), *rest]


def _tool(program: str) -> str:
    if program == INTERPRETER:
        return sys.executable
    return (shutil.which(Path(program).name) if program.startswith("/usr/bin/") else None) or program
