"""Send a bot to the arena of the last login, and watch it checked, built and tried until it plays.

A folder is packed without what is hidden in it; a source file, a zip or a tar is sent as it is.

The exit status, for scripts: 0 it plays, or has been sent without waiting; 1 it was rejected, and the advice is
printed; 2 it could not be sent, or the arena was away for minutes; 3 --timeout has passed, and the arena goes on.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from banzuke.api_types import OwnVersion
from banzuke.arguments import game_name
from banzuke.bots import source_of
from banzuke.site import Site, contest_named, retry_while_away, site_remembered
from banzuke.text import UserError, say
from core.arguments import positive
from core.text import ending
from games.kits import zipped
from games.registry import game_missing, game_names

ARCHIVES = (".zip", ".tar.gz", ".tgz", ".tar")
POLL_SECONDS = 0.5
LOG_SECTION = re.compile(r"^(?=--- .+ ---$)", re.MULTILINE)
LOG_SECTION_LINES = 24
CHECK_SECTION = "--- Check match ---\n"
"""The heading in a version's log after which the problems of its check match are listed."""
LOG_LINE_CHARS = 500
"""The longest part of a log line that is printed, since a bot may write very long lines."""
MARKS = {"done": "✓", "bad": "✗"}
CODE_REJECTED, CODE_TIMED_OUT = 1, 3
"""Exit statuses; those of all commands are in ``banzuke.command_line``."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``upload``."""
    parser.add_argument("path", type=Path, metavar="FOLDER|FILE")
    add_contest(parser)
    parser.add_argument("--name", help="of the bot; one that you have gets a new version (default: the folder's)")
    parser.add_argument("--language", default="", help="default: found by the names of the files")
    parser.add_argument(
        "--wait", action=argparse.BooleanOptionalAction, default=True, help="until it is built and tried"
    )
    parser.add_argument("--timeout", type=positive, metavar="SECONDS", help="wait no longer (default: to its end)")
    parser.add_argument("--json", action="store_true", help="print the version as one JSON object and nothing else")


def run(arguments: argparse.Namespace) -> int:
    """Send the bot and print its progress."""
    site = site_remembered()
    contest, game = contest_chosen(site, arguments)
    name, file = packed(arguments.path, game)
    sent = {"contest": contest, "name": arguments.name or name, "language": arguments.language}
    version = site.post("versions/", OwnVersion, data=sent, files={"upload": file})
    url = f"{site.url}/versions/{version.id}/"
    tell = silent if arguments.json else say
    tell(f"{version.name}, version {version.number}: {url}")
    if arguments.wait:
        version = followed(site, version, arguments.timeout, tell)
        tell(version_end(version))
    if arguments.json:
        # ASCII alone, since ``say`` would write other characters in a way that is no JSON.
        say(json.dumps({"url": url, **msgspec.to_builtins(version)}))
    if not arguments.wait or version.state == "active":
        return 0
    return CODE_REJECTED if version.is_final else CODE_TIMED_OUT


def add_contest(parser: argparse.ArgumentParser) -> None:
    """Declare ``--game`` and ``--contest``, one of which has to be given."""
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--game", type=game_name, choices=game_names(), help="in the open contest of this game")
    where.add_argument("--contest", metavar="KEY", help="in another contest; its key is the last part of its url")


def contest_chosen(site: Site, arguments: argparse.Namespace) -> tuple[str, str]:
    """Return the key of the contest that ``--game`` or ``--contest`` names, and its game.

    Raises:
        UserError: there is no such contest, or its game is not installed here.
    """
    game = arguments.game or contest_named(site, arguments.contest).game
    if game not in game_names():
        raise UserError(game_missing(game))
    return arguments.contest or game, game


def silent(_text: str) -> None:
    """Print nothing: a ``tell`` for programs and agents, who read the final result alone."""


def packed(path: Path, game: str) -> tuple[str, tuple[str, bytes]]:
    """Return the name of the bot, and the name and content of the file to send.

    Raises:
        UserError: the path is no folder, source file, zip or tar, or cannot be read.
    """
    try:
        source = source_of(str(path), game) if path.exists() else None
        if source and path.is_dir():
            return source.name, (f"{source.name}.zip", zipped(source.files))
        if source:
            return path.stem, (path.name, path.read_bytes())
        ending = next((ending for ending in ARCHIVES if path.name.lower().endswith(ending)), "")
        if ending and path.is_file():
            return path.name[: -len(ending)], (path.name, path.read_bytes())
        raise UserError(f"{path} is no folder, source file, zip or tar.")
    except OSError as error:
        raise UserError(f"{error.filename or path} cannot be read: {error.strerror}.") from error


def followed(site: Site, version: OwnVersion, timeout: int | None, tell: Callable[[str], None]) -> OwnVersion:
    """Poll a version until it is final or ``timeout`` seconds are over (None: no end); return it as last polled.

    ``tell`` is called with a line for each finished step.
    """
    printed, patient_until = 0, time.monotonic() + timeout if timeout else math.inf
    while True:
        over = [step for step in version.steps if step.state in MARKS]
        for step in over[printed:]:
            tell(f"  {MARKS[step.state]} {step.title}")
        printed = len(over)
        if version.is_final or time.monotonic() >= patient_until:
            return version
        time.sleep(POLL_SECONDS)
        version = retry_while_away(partial(site.get, f"versions/{version.id}/", OwnVersion))


def version_end(version: OwnVersion) -> str:
    """Return what a version has come to, and what to do about it."""
    if not version.is_final:
        return "It takes longer than --timeout allows. The arena goes on with it: banzuke status shows how it ends."
    if version.state == "active":
        # Before Python 3.13 a name with a dash in front is taken for an option even behind "--"; none means all bots.
        name = "" if version.name.startswith("-") else f" {shlex.quote(version.name)}"
        built, _section, check = version.log.partition(CHECK_SECTION)
        # The first line says which file is the program.
        warnings = [f"{line[:LOG_LINE_CHARS]}\n" for line in shortened(built.partition("\n")[2].strip())]
        problems = "".join(warnings) + (f"In the check match: {check}\n" if check else "")
        return f"{problems}It plays. banzuke status --wait{name} waits for its first games."
    log = [line[:LOG_LINE_CHARS] for section in LOG_SECTION.split(version.log) for line in shortened(section)]
    return "\n".join([*filter(None, (version.sentence, version.advice)), *log])


def shortened(section: str) -> list[str]:
    """Return the lines of a log section without its middle: compilers print the cause first, crashing programs last."""
    lines, half = section.splitlines(), LOG_SECTION_LINES // 2
    if len(lines) <= LOG_SECTION_LINES:
        return lines
    left_out = len(lines) - 2 * half
    end = ending(section, len("".join(section.splitlines(keepends=True)[:-half]))).splitlines()
    return [*lines[:half], f"[... {left_out} lines left out: the page of the version has all ...]", *end]
