"""Begin a game of your own: write a package that plays, is watched and passes its check at once.

NAME is the game's key: small letters, digits and _. The folder is made; nothing that exists is overwritten.
"""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from banzuke.bots import as_argument
from banzuke.commands.new import files_write
from banzuke.text import UserError, say
from games.housebots import paths_of
from games.registry import game_names, is_key

TEMPLATE = Path(__file__).resolve().parents[2] / "template"
"""A game that is complete, called "newgame"."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``game new``."""
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="default: banzuke-NAME, here")


def run(arguments: argparse.Namespace) -> int:
    """Write the package and say what to do next."""
    name = arguments.name
    if not is_key(name):
        raise UserError(f"{name!r} is no name for a game: small letters, digits and _, a letter first, 30 at most.")
    if name in game_names():
        raise UserError(f"There is a game {name} already: choose another name.")
    folder: Path = arguments.folder or Path(f"banzuke-{name.replace('_', '-')}")
    files_write(folder, {path: text.encode() for path, text in template_files(name).items()}, "game")
    word = shlex.quote(as_argument(str(folder)))
    say(f"{folder} is ready. What to do next:")
    for command, what in {
        f"banzuke game check {word}": "tells what is missing or wrong",
        f"banzuke game play {word} --watch": "plays a match of random bots, and prints each turn",
        f"banzuke game watch {word}": "shows such a match in the browser",
        f"pip install -e {word}": f"makes {name} known to all commands, such as banzuke new {name} python",
    }.items():
        say(f"  {command:<{32 + len(word)}} {what}")
    return 0


def template_files(name: str) -> dict[str, str]:
    """Return the files of a new game by path: those of the template, with its name replaced everywhere."""
    words = name.split("_")
    names = {
        "banzuke-newgame": f"banzuke-{'-'.join(words)}",
        "newgame": name,
        "NewGame": "".join(map(str.capitalize, words)),
        "New game": " ".join(words).strip().capitalize(),
    }
    files = {}
    for path in sorted(paths_of(TEMPLATE)):
        text, place = path.read_text(encoding="utf-8"), path.relative_to(TEMPLATE).as_posix()
        for old, new in names.items():
            text, place = text.replace(old, new), place.replace(old, new)
        files[place] = text
    return files
