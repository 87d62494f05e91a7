"""Reads a replay that the user names."""

from __future__ import annotations

from pathlib import Path

from core.cli.text import UserError
from core.game import JsonObject
from core.replay import BadReplay, decode


def replay_read(path: Path) -> list[JsonObject]:
    """Return the records of a replay: header, turns, footer.

    Raises:
        UserError: the file cannot be read or is no replay.
    """
    try:
        return decode(path.read_bytes())
    except BadReplay as error:
        raise UserError(f"{path}: {error}") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
