"""The turn log of a match at home, a file beside its replay: what each bot was asked, answered and wrote.

It is the same JSON as the log that owners download from the site (``wire.turnlog``), so that either is shown with the
replay by ``banzuke watch``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from banzuke.text import UserError, os_errors_told
from core.referee import Ask, Reply
from core.text import printable

SITE_SUFFIX = ".jsonl.zst"
"""The end of the names of replays that are downloaded from the site."""
TEXT_CHARS_MAX = 2_000
"""How many characters of an input and of an answer are kept, the last ones, as on the site."""
READ_BYTES_MAX = 64 << 20

_Text = Annotated[str, msgspec.Meta(max_length=10_000)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class LoggedTurn(msgspec.Struct, frozen=True):
    """One turn of one seat."""

    seat: _Count
    turn: _Count
    asked: _Text
    answered: _Text
    stderr: _Text
    cpu_ms: float = 0.0
    wall_ms: float = 0.0


def logged(turn: int, ask: Ask, reply: Reply) -> LoggedTurn:
    """Return the entry of a question and its reply."""
    asked, answered = "\n".join(ask.lines)[-TEXT_CHARS_MAX:], "\n".join(reply.lines)[-TEXT_CHARS_MAX:]
    times = round(reply.cpu_ms, 1), round(reply.wall_ms, 1)
    return LoggedTurn(ask.seat, turn, asked, answered, reply.stderr, *times)


def log_path(replay: Path) -> Path:
    """Return the file beside a replay in which its turn log is."""
    name = replay.name.removesuffix(SITE_SUFFIX) if replay.name.endswith(SITE_SUFFIX) else replay.stem
    return replay.with_name(f"{name}-log.json")


def log_write(replay: Path, turns: Sequence[LoggedTurn]) -> None:
    """Write the turn log of a match beside its replay.

    Raises:
        UserError: the file cannot be written.
    """
    path = log_path(replay)
    with os_errors_told(f"The log of the turns cannot be written to {path}"):
        path.write_bytes(msgspec.json.encode(turns))


def log_read(replay: Path) -> list[LoggedTurn]:
    """Return the turns that are logged beside a replay, their texts printable; an empty list if there is no log.

    Raises:
        UserError: the file is no turn log, or too large.
    """
    path = log_path(replay)
    try:
        if path.stat().st_size > READ_BYTES_MAX:
            raise UserError(f"{path} is larger than any log of turns: move it away.")
        turns = msgspec.json.decode(path.read_bytes(), type=list[LoggedTurn])
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.") from error
    except msgspec.MsgspecError as error:
        raise UserError(f"{path} is no log of turns: move it away. {error}") from error
    # The attack: a log that somebody else made has terminal escapes, or characters that reverse the order of text.
    texts = ("asked", "answered", "stderr")
    return [msgspec.structs.replace(turn, **{name: printable(getattr(turn, name)) for name in texts}) for turn in turns]
