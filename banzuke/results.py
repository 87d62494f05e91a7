"""The results of matches at home, and the file they are kept in: a JSON line a match, written when it has ended."""

from __future__ import annotations

import fcntl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path

import msgspec

from banzuke.text import UserError
from core.game import JsonObject
from core.referee import Forgiven
from rating.orders import ranking_problem

Key = tuple[int, tuple[str, ...]]
"""A match among others of one game: its seed, and the digests of the bots by seat."""


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One match."""

    game: str
    rules: str
    """Version of the rules."""
    options: JsonObject
    seed: int
    bots: list[str]
    """Names by seat, as in all lists that follow."""
    digests: list[str]
    """What the bots were: a changed bot is another one."""
    ranks: list[int]
    scores: list[float]
    faults: list[str | None]
    """Verdicts."""
    forgiven: list[Forgiven | None] = []
    """Answers that were not understood, in a game that forgives them; empty: of before they were counted."""

    def __post_init__(self) -> None:
        """Raise a ValueError that names the field, if this can be no result: somebody has changed the file by hand."""
        for name in ("bots", "digests", "scores", "faults"):
            if len(getattr(self, name)) != len(self.ranks):
                raise ValueError(f"`{name}` must be {len(self.ranks)}, one a rank")
        if problem := ranking_problem(self.ranks, len(self.ranks)):
            raise ValueError(f"`ranks` {problem}")

    @property
    def key(self) -> Key:
        """Which match it was."""
        return self.seed, tuple(self.digests)


class Log:
    """The results of a file and those that are added to it."""

    def __init__(self, results: list[Result], file: FileIO | None) -> None:
        self.results = results
        self._file = file

    def add(self, result: Result) -> None:
        """Keep a result, in the file at once.

        Raises:
            UserError: the file takes no more. What it holds of the line is taken away when it is opened again.
        """
        self.results.append(result)
        if self._file:
            _write(self._file, msgspec.json.encode(result) + b"\n")

    def of(self, *, game: str, rules: str, options: JsonObject, digests: Iterable[str]) -> list[Result]:
        """Return the results of matches that only these bots have played, by these rules and options."""
        known = set(digests)
        wanted = (game, rules, options)
        return [
            found
            for found in self.results
            if (found.game, found.rules, found.options) == wanted and known.issuperset(found.digests)
        ]


def _write(file: FileIO, line: bytes) -> None:
    try:
        while line:
            line = line[file.write(line) :]
    except OSError as error:
        raise UserError(
            f"No more results can be kept: {error.strerror}. The same command goes on from those that are."
        ) from error


@contextmanager
def log_opened(path: Path | None) -> Iterator[Log]:
    """Read a file of results and go on with it; None: keep them nowhere.

    What stands behind the last line feed was cut off when a machine went down, and is taken away.

    Raises:
        UserError: it cannot be read or written, another command writes to it, or it is no file of results: it is left
            as it is.
    """
    if path is None:
        yield Log([], None)
        return
    try:
        file = path.open("a+b", buffering=0)
    except OSError as error:
        raise UserError(
            f"The results cannot be kept in {path}: {error.strerror}. Name another file by --log."
        ) from error
    with file:
        _lock(path, file)
        file.seek(0)
        text = file.read()
        whole = text.rfind(b"\n") + 1
        results = [_result(path, number, line) for number, line in enumerate(text[:whole].splitlines(), 1)]
        if whole < len(text):
            file.truncate(whole)
        yield Log(results, file)


def _lock(path: Path, file: FileIO) -> None:
    """Keep the file for this command: two that go on with it would play the same matches, and count them twice."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UserError(
            f"Another command keeps its results in {path}: wait for its end, or name another file."
        ) from error


def _result(path: Path, number: int, line: bytes) -> Result:
    try:
        return msgspec.json.decode(line, type=Result)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"Line {number} of {path} is no result ({error}): mend it, or name another file.") from error
