"""The folder of a tournament at home: what is played, the results, replays, and TRF files for programs of chess.

``tournament.json`` says what is played, so that no other command line mixes its matches in. ``results.jsonl`` has a
line for each finished match and is only appended to. All else follows from these two.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from banzuke.pool import Setting
from banzuke.results import ResultLog, result_log_opened
from banzuke.text import UserError, os_errors_told, write_whole
from banzuke.tournament import Fixture, Plan
from core.game import JsonObject
from formats.model import Stage
from games.registry import game_named

OTHER_FOLDER = "Name another folder by --out."


class _Described(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is played: the content of ``tournament.json``."""

    game: str
    rules: str
    """The version of the game's rules."""
    options: JsonObject
    stages: tuple[Stage, ...]
    lots: int
    bots: tuple[str, ...]
    """The names of the bots, in the order of their seed numbers."""
    digests: tuple[str, ...]
    """The digests of the bots' programs, in the same order."""


WORDS = {
    "game": "another game",
    "rules": "another version of the game's rules",
    "options": "another ruleset or other options",
    "stages": "another format",
    "lots": "another --seed",
    "bots": "other bots, or the same in another order",
    "digests": "bots that have been changed since",
}
"""What a difference in a field means, for the sentence that refuses to mix two tournaments."""


class TournamentFolder:
    """The folder of a tournament that is played at home, while the command runs.

    ``log`` has the results so far. If ``path`` is None, nothing is written, and results are kept in memory only.
    """

    def __init__(self, path: Path | None, log: ResultLog) -> None:
        self.path = path
        self.log = log

    def replay(self, fixture: Fixture) -> Path | None:
        """Return the file for the replay of a match; None if there is no folder."""
        if self.path is None:
            return None
        pairing = fixture.pairing
        name = f"stage{pairing.stage + 1}_round{pairing.round}_table{pairing.number}_match{fixture.number}.replay"
        return self.path / "replays" / name

    def write(self, name: str, text: str) -> None:
        """Write a file into the folder, if there is one.

        Raises:
            UserError: the file cannot be written.
        """
        if self.path:
            write_whole(self.path / name, text.encode())


@contextmanager
def folder_opened(path: Path | None, setting: Setting, plan: Plan) -> Iterator[TournamentFolder]:
    """Open the folder of a tournament, which is made if there is none, and yield it.

    Args:
        path: the folder; None: nothing is kept.
        setting: what all matches have in common.
        plan: what the tournament is.

    Raises:
        UserError: the folder cannot be used, another command uses it, or it holds another tournament.
    """
    if path is None:
        yield TournamentFolder(None, ResultLog([], None))
        return
    with os_errors_told(f"The folder {path} cannot be made", OTHER_FOLDER):
        (path / "replays").mkdir(parents=True, exist_ok=True)
    with result_log_opened(path / "results.jsonl", OTHER_FOLDER) as log:
        described = _Described(
            game=setting.game,
            rules=game_named(setting.game).rules_version,
            options=setting.options,
            stages=plan.stages,
            lots=plan.lots,
            bots=tuple(bot.name for bot in setting.bots),
            digests=tuple(bot.digest for bot in setting.bots),
        )
        if (known := _read(path / "tournament.json")) is None:
            write_whole(path / "tournament.json", msgspec.json.format(msgspec.json.encode(described), indent=1) + b"\n")
        elif differing := [name for name in WORDS if getattr(known, name) != getattr(described, name)]:
            words = ", and ".join(WORDS[name] for name in differing)
            raise UserError(f"{path} holds a tournament with {words}: {OTHER_FOLDER[0].lower()}{OTHER_FOLDER[1:]}")
        yield TournamentFolder(path, log)


def _read(path: Path) -> _Described | None:
    """Return the content of a folder's ``tournament.json``; None if there is no such file, as in a new folder.

    Raises:
        UserError: the file cannot be read.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Described)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} does not say what is played ({error}). {OTHER_FOLDER}") from error
