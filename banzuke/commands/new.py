"""Write a starter kit: a small bot that plays legal matches at once, for you to make better.

The folder is made; nothing that exists is overwritten.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from banzuke.arguments import game_name
from banzuke.bots import as_argument
from banzuke.text import UserError, os_errors_told, say
from games.kits import kit_files, kit_languages, kit_rivals
from games.registry import game_names
from games.stubs.writer import LANGUAGES

ALIASES = {
    alias: name for name, each in LANGUAGES.items() for alias in (Path(each.file).suffix.strip("."), *each.aliases)
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``new``."""
    parser.add_argument("game", type=game_name, choices=game_names())
    parser.add_argument("language", help=", ".join(LANGUAGES))
    parser.add_argument("folder", nargs="?", type=Path, help="default: GAME_LANGUAGE, here")


def run(arguments: argparse.Namespace) -> int:
    """Write the kit and say what to do next."""
    game = arguments.game
    language = ALIASES.get(arguments.language.lower(), arguments.language.lower())
    if language not in kit_languages(game):
        raise UserError(f"There is no kit in {arguments.language!r}; there are: {', '.join(kit_languages(game))}.")
    folder: Path = arguments.folder or Path(f"{game}_{language}")
    files_write(folder, kit_files(game, language), "kit")
    word = shlex.quote(as_argument(str(folder)))
    play, upload = f"banzuke play {game} {word} {kit_rivals(game)}", f"banzuke upload {word} --game {game}"
    say(f"{folder} is ready. What to do next:")
    say(f"  {play}   play a match against house bots")
    say(f"  {upload:<{len(play)}}   send it to an arena, after banzuke login URL")
    return 0


def files_write(folder: Path, files: Mapping[str, bytes], what: str) -> None:
    """Write files, given as content by path, into a folder, which is made if need be; write all of them or none.

    ``what`` names them in the sentence of an error, such as ``kit``.

    Raises:
        UserError: one of them exists already, or cannot be written.
    """
    begun: list[Path] = []
    with os_errors_told(f"The {what} cannot be written to {folder}"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if there := [name for name in files if (folder / name).exists()]:
                raise UserError(f"{folder / there[0]} exists already: choose another folder.")
            for name, content in files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                begun.append(folder / name)
                begun[-1].write_bytes(content)
        except OSError:
            for path in begun:  # an incomplete folder would block the next attempt
                with suppress(OSError):
                    path.unlink()
            raise
