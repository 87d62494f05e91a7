"""Writes replay files; reads them and checks that they can be shown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banzuke.text import UserError, os_errors_told, write_whole
from core.game import JsonObject
from core.replay import BadReplay, decode, encode
from games.registry import game_names


def replay_read(path: Path) -> list[JsonObject]:
    """Return the records of a replay: header, turns, footer.

    Raises:
        UserError: the file cannot be read, is no replay, is of an unknown game, or was changed by hand.
    """
    try:
        with os_errors_told(f"{path} cannot be read"):
            records = decode(path.read_bytes())
    except BadReplay as error:
        raise UserError(f"{path}: {error}") from error
    header, footer = records[0], records[-1]
    if header["game"] not in game_names():
        raise UserError(f"{path} is of a game that is not known here, {header['game']!r}.")
    if any(len(footer[name]) != len(header["seats"]) for name in ("ranks", "scores", "faults")):
        raise UserError(f"{path} does not tell how each of its seats ended: it was changed by hand.")
    return records


def replay_write(path: Path, records: Sequence[JsonObject]) -> None:
    """Write the records of a match to a replay file, which is there whole or not at all.

    Raises:
        UserError: the file cannot be written, or the records are more than a replay may hold.
    """
    try:
        write_whole(path, encode(records), "The replay ")
    except BadReplay as error:
        raise UserError(str(error)) from error
