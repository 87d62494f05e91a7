"""Starter kits: a small bot a game and language that plays legal matches at once. They lie in ``bots/<game>/``.

The kit in Python is the house bot ``random`` with the modules it stands on; those in other languages are the folders
``starter/<language>/``.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ladder.housebots import FOLDER, STARTER, files_of

PYTHON = "python"


def kit_languages(game: str, folder: Path = FOLDER) -> list[str]:
    """Return the languages that a game has a kit in, Python first."""
    return [PYTHON, *sorted(path.name for path in (folder / game / STARTER).iterdir() if _is_kit(path))]


def kit_files(game: str, language: str, folder: Path = FOLDER) -> dict[str, bytes]:
    """Return the files of a kit, content by path.

    Raises:
        KeyError: there is none.
    """
    if language not in kit_languages(game, folder):
        raise KeyError(language)
    return files_of(folder / game / (Path("random") if language == PYTHON else Path(STARTER, language)))


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as a zip: the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _is_kit(path: Path) -> bool:
    return path.is_dir() and any(child.stem.lower() == "main" for child in path.iterdir())
