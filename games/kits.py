"""Starter kits: a small bot a game and language that plays legal matches at once. They lie in ``games/<game>/bots/``.

The kit in Python is the house bot ``random`` with the modules it stands on; those in other languages are the folders
``starter/<language>/``. Each comes with a README that says where the rules stand.
"""

from __future__ import annotations

import io
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from games.housebots import BOTS, FOLDER, STARTER, files_of
from games.registry import game_named

PYTHON = "python"
MARK = "banzuke.toml"
"""The file of a kit that says which game it is for: a league leaves bots of other games out."""
README = """# Starter kit for {title}

It plays legal matches as it stands. What to play is decided in its main file: make that better.

Rules with drawings, protocol and limits: `/games/{game}/guide/` on the arena's site.

```
banzuke play {game} . {others}
banzuke upload . --game {game} --name NAME
```
"""


def kit_languages(game: str) -> list[str]:
    """Return the languages that a game has a kit in, Python first."""
    return [PYTHON, *sorted(path.name for path in (FOLDER / game / BOTS / STARTER).iterdir() if _is_kit(path))]


def kit_files(game: str, language: str) -> dict[str, bytes]:
    """Return the files of a kit, content by path.

    Raises:
        KeyError: there is none.
    """
    if language not in kit_languages(game):
        raise KeyError(language)
    program = files_of(FOLDER / game / BOTS / (Path("random") if language == PYTHON else Path(STARTER, language)))
    return {"README.md": _readme(game).encode(), MARK: f'game = "{game}"\n'.encode(), **program}


def kit_game(folder: Path) -> str | None:
    """Return the game that a bot's folder says it is for; None if it does not say."""
    try:
        game = tomllib.loads((folder / MARK).read_text()).get("game")
    except (OSError, ValueError):
        return None
    return game if isinstance(game, str) else None


def kit_rivals(game: str) -> str:
    """Return who sits at a table of the ladder with a kit, as words of a command line."""
    return " ".join(["house:random"] * (game_named(game).players[0] - 1))


def _readme(game: str) -> str:
    return README.format(game=game, title=game_named(game).title, others=kit_rivals(game))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as a zip: the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _is_kit(path: Path) -> bool:
    return path.is_dir() and any(child.stem.lower() == "main" for child in path.iterdir())
