"""Starter kits: for each game and language a small bot that plays legal matches as it is, to begin one's own bot with.

They are made from the game's ``stub.txt``, in each language of ``games.stubs.writer``. Kits written by hand lie in the
folder ``bots/`` of a game and go before those: the kit in Python is the house bot ``random`` with the shared modules of
its game, others are the folders ``starter/<language>/``. Each kit gets a README that says where the rules
are explained.
"""

from __future__ import annotations

import io
import tomllib
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from games.housebots import BOTS, STARTER, files_of
from games.registry import folder_of, game_named
from games.stubs import BadStub, Stub, stub_read
from games.stubs.writer import LANGUAGES

PYTHON = "python"
MARK = "banzuke.toml"
"""The file of a kit that names its game: ``banzuke league`` leaves out bots of other games."""
README = """# Starter kit for {title}

It plays legal matches as it stands. What to play is decided in its main file: make that better.

Rules with drawings, protocol and limits: `/{place}/guide/` on the arena's site.
{about}
```
banzuke play {game} . {others}
{upload}
```
"""


def kit_languages(game: str) -> list[str]:
    """Return the languages in which a game has a kit, Python first; a wrong stub gives none beside those by hand."""
    made: Iterable[str] = ()
    with suppress(BadStub):  # see ``kits_fault``; the game's other kits and pages go on
        made = LANGUAGES if _stub(game) else ()
    return sorted({*_folders(game), *made}, key=lambda language: (language != PYTHON, language))


def kit_files(game: str, language: str, *, place: str = "", about: str = "") -> dict[str, bytes]:
    """Return the content of each file of a kit, by path.

    Args:
        game: the game.
        language: the programming language.
        place: the part of URLs that names the contest of the kit, such as ``contests/KEY``; empty: the open contest.
        about: what is special about the contest, as a list in Markdown.

    Raises:
        KeyError: there is no such kit.
        BadStub: the stub that the kit is made from is wrong.
    """
    if folder := _folders(game).get(language):
        program = files_of(folder)
    elif (stub := _stub(game)) and (writer := LANGUAGES.get(language)):
        program = {writer.file: writer.written(game_named(game).title, stub).encode()}
    else:
        raise KeyError(language)
    upload = f"banzuke upload . --game {game} --name NAME"
    if place:
        upload = f"# then upload it: /upload/?contest={place.partition('/')[2]}"
    readme = README.format(
        game=game,
        title=game_named(game).title,
        place=place or f"games/{game}",
        about=f"\nIn this contest:\n\n{about}" if about else "",
        others=kit_rivals(game),
        upload=upload,
    )
    return {"README.md": readme.encode(), MARK: f'game = "{game}"\n'.encode(), **program}


def kits_fault(game: str) -> str:
    """Return why no kits can be made from a game's stub: a sentence for the administrator; empty if they can."""
    try:
        _stub(game)
    except BadStub as error:
        return f"The starter kits of {game} that its stub makes are left out. {error}"
    return ""


def kit_game(folder: Path) -> str | None:
    """Return the game that the file ``MARK`` in the folder of a bot names; None if there is no such file."""
    try:
        game = tomllib.loads((folder / MARK).read_text()).get("game")
    except (OSError, ValueError):
        return None
    return game if isinstance(game, str) else None


def kit_rivals(game: str) -> str:
    """Return the opponents of a kit in a match with the ladder's number of players, as arguments of a command line."""
    return " ".join(["house:random"] * (game_named(game).players[0] - 1))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip archive of files (content by path); equal files give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _folders(game: str) -> dict[str, Path]:
    """Return the folder of each kit that is written by hand, by language."""
    folder = folder_of(game)
    if folder is None:
        return {}
    found = {path.name: path for path in (folder / BOTS / STARTER).glob("*/")}
    found[PYTHON] = folder / BOTS / "random"
    mains = {child.parent for path in found.values() for child in path.glob("*") if child.stem.lower() == "main"}
    return {language: path for language, path in found.items() if path in mains}


def _stub(game: str) -> Stub | None:
    """Return the stub of a game, or None if the game has none; raise BadStub if the stub is wrong."""
    folder = folder_of(game)
    return stub_read(folder) if folder else None
