"""The match log: all that ratings are made of, as JSON lines that anybody can download and fit again.

First a line for each version, ``{"version": 12, "name": "ring v1", "parent": null, "declared": 1480.0}`` (``parent``:
the version whose rating it inherits; ``declared``: only of house bots, the anchors of the scale), then a line for each
finished match, ``{"match": 7, "players": [12, 15], "ranks": [1, 2]}`` with the players in seat order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec
import numpy as np

from ladder.rating.fit import Fit, fit
from ladder.rating.model import Prior
from ladder.rating.orders import Floats, results_collect


class Version(msgspec.Struct, frozen=True):
    """A version of a bot that has been active."""

    version: int
    name: str
    parent: int | None = None
    declared: float | None = None


class Finished(msgspec.Struct, frozen=True):
    """The result of a match."""

    match: int
    players: list[int]
    """Versions in seat order."""
    ranks: list[int]


@dataclass
class Log:
    """The versions and the set of results of one game, each under its number."""

    versions: dict[int, Version] = field(default_factory=dict)
    matches: dict[int, Finished] = field(default_factory=dict)

    def lines(self) -> Iterator[bytes]:
        """Yield the log's lines, without line ends, in the order of numbers."""
        for rows in (self.versions, self.matches):
            for _, row in sorted(rows.items()):
                yield msgspec.json.encode(row)

    @classmethod
    def of_lines(cls, lines: Iterable[bytes]) -> Log:
        """Read a log. A line that comes twice counts once.

        Raises:
            ValueError: a line is no version and no match, or two different results of a match; the sentence names it.
        """
        log = cls()
        for number, line in enumerate(lines, start=1):
            try:
                row = msgspec.json.decode(line, type=dict[str, object])
                log._add(row)
            except ValueError as error:
                raise ValueError(f"Line {number} of the log: {error}") from error
        return log

    def _add(self, row: dict[str, object]) -> None:
        if "match" in row:
            match = msgspec.convert(row, Finished)
            if self.matches.setdefault(match.match, match) != match:
                raise ValueError(f"Match {match.match} has another result than before.")
        else:
            version = msgspec.convert(row, Version)
            self.versions[version.version] = version

    def fit(self, start: Mapping[int, float] | None = None) -> tuple[list[int], Fit]:
        """Fit the ratings as the leaderboard does.

        Args:
            start: the last ratings by version, to be sooner.

        Returns:
            The versions in order, and their fit.

        Raises:
            ValueError: a parent or a player is no version of the log.
        """
        numbers = sorted(self.versions)
        index = {number: bot for bot, number in enumerate(numbers)}
        try:
            parents = {index[v.version]: index[v.parent] for v in self.versions.values() if v.parent is not None}
            matches = [([index[player] for player in m.players], m.ranks) for m in self.matches.values()]
        except KeyError as error:
            raise ValueError(f"Version {error} is named but not described in the log.") from error
        anchors = {index[v.version]: v.declared for v in self.versions.values() if v.declared is not None}
        prior = Prior.of_parents(len(numbers), parents)
        warm = self._begin(start or {}, numbers)
        return numbers, fit(len(numbers), results_collect(matches), prior, anchors=anchors, start=warm)

    def _begin(self, start: Mapping[int, float], numbers: list[int]) -> Floats | None:
        """Return where to begin: a version without a rating begins at its parent's, else in the middle."""
        if not start:
            return None
        middle = float(np.mean(list(start.values())))
        parents = ((number, self.versions[number].parent) for number in numbers)
        return np.array([start.get(number, start.get(parent or 0, middle)) for number, parent in parents])
