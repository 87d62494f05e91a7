"""Finds the games of a package that is installed, or that lies in a folder and is not installed yet."""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from banzuke.text import UserError
from games import registry

PROJECT = "pyproject.toml"


@contextmanager
def games_found(text: str) -> Iterator[list[str]]:
    """Yield the names of the games that an argument of the command line names.

    Args:
        text: the name of a game, whose package is installed; or the folder of a package, with its ``pyproject.toml``,
            which counts as installed as long as the context lasts.

    Raises:
        UserError: the folder holds no package of a game.
    """
    folder = Path(text)
    if not folder.is_dir() or text in registry.game_names():
        yield [text]
        return
    name, entries = _entries(folder / PROJECT)
    with tempfile.TemporaryDirectory(prefix="banzuke-") as site:
        info = Path(site, f"{name.replace('-', '_')}-0.dist-info")
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
        lines = [f"[{registry.GROUP}]", *(f"{key} = {value}" for key, value in entries.items())]
        (info / "entry_points.txt").write_text("\n".join(lines))
        root = folder.resolve()
        before = sys.path[:]
        # Before an installed version of the same package, which this one hides.
        sys.path[:0] = [site, str(root / "src"), str(root)]
        registry.forget()
        try:
            yield list(dict.fromkeys(key.partition(".")[0] for key in entries))
        finally:
            sys.path[:] = before
            registry.forget()


def _entries(path: Path) -> tuple[str, Mapping[str, str]]:
    """Return the name of a package, and the objects that it names as games, by entry point.

    ``path`` is that of its ``pyproject.toml``.

    Raises:
        UserError: the file cannot be read, or names no game.
    """
    group = f'[project.entry-points."{registry.GROUP}"]'
    try:
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        name, entries = project["name"], project["entry-points"][registry.GROUP]
    except FileNotFoundError as error:
        raise UserError(f"{path.parent} holds no package: it has no {PROJECT}.") from error
    except (OSError, ValueError) as error:
        raise UserError(f"{path} cannot be read: {error}") from error
    except (KeyError, TypeError) as error:
        raise UserError(f'{path} names no game: add {group} with a line such as tron = "banzuke_tron:Tron".') from error
    return name, entries
