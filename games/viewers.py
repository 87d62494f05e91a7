"""What the viewer needs of a game: its modules and style sheet in ``games/<game>/viewer/``, and its tables of words.

``viewer.js`` draws matches, ``input.js`` takes the answers of a person at a table. Site and ``banzuke watch`` serve the
folders under the path ``games/<key>/``. A match by an earlier version of the rules is shown by that version's viewer,
if the folder of the version has one.
"""

from __future__ import annotations

import re
from pathlib import Path

from games.registry import folder_of, game_keys
from games.words import tables

# A message of the format Fluent goes on in lines that begin with a blank or a closing brace.
_INPUT_WORDS = re.compile(r"^input-.*\n?(?:[ }].*\n?)*", re.MULTILINE)
TEXT_BOARD = "matches/viewer/textgame.js"
"""The static file that shows games without a viewer module."""


def viewer_folders() -> dict[str, Path]:
    """Return the folders of viewers by key: ``<game>``, or ``<game>.<version>`` for an earlier version of its rules."""
    folders = {key: folder / "viewer" for key in game_keys() if (folder := folder_of(key)) is not None}
    return {key: folder for key, folder in folders.items() if folder.is_dir()}


def viewer_module(game: str, rules: str = "") -> str:
    """Return the static file of the module that draws a game's matches, by default those of the newest rules.

    Games without a module of their own have ``TEXT_BOARD``.
    """
    return _viewer_file(game, rules, "viewer.js") or TEXT_BOARD


def input_module(game: str, rules: str = "") -> str:
    """Return the static file of the module with which a person plays the game at a table; empty if it has none."""
    return _viewer_file(game, rules, "input.js")


def viewer_style(game: str, rules: str = "") -> str:
    """Return the static file of a game's style sheet; empty if it has none."""
    return _viewer_file(game, rules, "viewer.css")


def viewer_tables(game: str, rules: str, language: str, *, plays: bool = False) -> list[tuple[str, str]]:
    """Return the tables of words for a match, as ``games.words.tables`` does.

    Tables of the version ``rules`` of the game's rules come before those of its newest version. Unless ``plays``, the
    words of the input module are left out: who only watches does not need them.
    """
    keys = [key for key in (f"{game}.{rules}", game) if key in game_keys()]
    found = dict.fromkeys(table for key in keys or [""] for table in tables(key, language))
    return [(name, content if plays else _INPUT_WORDS.sub("", content)) for name, content in found]


def _viewer_file(game: str, rules: str, name: str) -> str:
    folders = viewer_folders()
    for key in (f"{game}.{rules}", game):
        if key in folders and (folders[key] / name).is_file():
            return f"games/{key}/{name}"
    return ""
