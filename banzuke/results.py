"""Results of matches at home, and the log that stores them: a file with a JSON line for each finished match."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

import msgspec

from banzuke.text import UserError, os_errors_told
from core.game import JsonObject
from core.referee import Forgiven
from rating.orders import ranking_problem

Key = tuple[int, tuple[str, ...]]
"""Identifies a match among those of one game: its seed, and the digests of the bots by seat."""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of one match."""

    game: str
    rules: str
    """The version of the game's rules."""
    options: JsonObject
    seed: int
    bots: list[str]
    """The names of the bots by seat; all further lists are by seat, too."""
    digests: list[str]
    """The digests of the bots' programs: a changed program counts as another bot."""
    ranks: list[int]
    scores: list[float]
    faults: list[str | None]
    """The verdict of each bot that was at fault, else None."""
    forgiven: list[Forgiven | None]
    """Answers that the game forgave, though it did not understand them."""

    def __post_init__(self) -> None:
        """Check a result that was read from a file, which somebody may have changed by hand.

        Raises:
            ValueError: a field is wrong; the text names it.
        """
        for name in ("bots", "digests", "scores", "faults", "forgiven"):
            if len(getattr(self, name)) != len(self.ranks):
                raise ValueError(f"`{name}` must be {len(self.ranks)}, one a rank")
        if problem := ranking_problem(self.ranks, len(self.ranks)):
            raise ValueError(f"`ranks` {problem}")

    @property
    def key(self) -> Key:
        """What identifies the match."""
        return self.seed, tuple(self.digests)


class ResultLog:
    """The results in a log file, and those that are added; without a file they are only kept in memory."""

    def __init__(self, results: list[Result], file: FileIO | None) -> None:
        self.results = results
        self._file = file

    def add(self, result: Result) -> None:
        """Add a result and write it to the file at once.

        Raises:
            UserError: the file cannot be written. A line written in part is removed when the log is opened again.
        """
        self.results.append(result)
        if self._file:
            line = msgspec.json.encode(result) + b"\n"
            with os_errors_told("No more results can be kept", "The same command goes on from those that are."):
                while line:
                    line = line[self._file.write(line) :]


@contextmanager
def result_log_opened(path: Path | None, remedy: str = "Name another file by --log.") -> Iterator[ResultLog]:
    """Open a log of results and yield it; with None the results are kept in memory only.

    An incomplete last line, as after a crash of the machine, is removed from the file.

    Args:
        path: the file; it is created if there is none.
        remedy: the sentence that says what to do if it cannot be opened.

    Raises:
        UserError: the file cannot be read or written, another command writes to it, or it is no log of results.
    """
    if path is None:
        yield ResultLog([], None)
        return
    with os_errors_told(f"The results cannot be kept in {path}", remedy):
        file = path.open("a+b", buffering=0)
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(
                f"Another command keeps its results in {path}: wait for its end, or name another file."
            ) from error
        file.seek(0)
        text = file.read()
        whole = text.rfind(b"\n") + 1
        results = [_result(path, number, line) for number, line in enumerate(text[:whole].splitlines(), 1)]
        if whole < len(text):
            file.truncate(whole)
        yield ResultLog(results, file)


def _result(path: Path, number: int, line: bytes) -> Result:
    try:
        return msgspec.json.decode(line, type=Result)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"Line {number} of {path} is no result ({error}): mend it, or name another file.") from error
