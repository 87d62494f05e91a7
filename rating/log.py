"""The match log: everything that ratings are computed from, as JSON lines that anybody can download and fit again.

First comes a line for each version, ``{"version": 12, "name": "ring v1", "parent": null, "declared": 1480.0}``:
``parent`` is the version whose rating it inherits, ``declared`` the declared rating of house bots, the anchors of the
scale. Then comes a line for each rated match,
``{"match": 7, "at": "2026-01-31T12:00:00Z", "rules": "1", "players": [12, 15], "ranks": [1, 2]}``: when it ended, the
version of the rules, the versions in seat order, and their ranks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, NamedTuple, TypeVar

import msgspec
import numpy as np

from rating.fit import Fit, fit
from rating.model import Prior
from rating.orders import PLAYERS_MAX, Ints, Results, ranking_problem, results_collect

FormT = TypeVar("FormT")

Number = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
"""Number of a row in the database of an arena."""
Elo = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
"""A rating in a log or question. With much larger ones, sums would lose the digits that are published."""


def decoded(text: bytes, form: type[FormT]) -> FormT:
    """Return JSON decoded as a value of the type ``form``.

    If the text has NaN or Infinity, which some programs write, the error names the field; msgspec alone would name the
    byte.

    Raises:
        ValueError: the text is not JSON, or does not fit the type.
    """
    try:
        return msgspec.json.decode(text, type=form)
    except msgspec.DecodeError as problem:
        try:
            known_to_python = json.loads(text)
        except ValueError:
            raise problem from None
        return msgspec.convert(known_to_python, form)


def moment_of(text: str) -> datetime:
    """Return the moment that a text in ISO 8601 stands for; a text without a time zone is in UTC.

    Raises:
        ValueError: the text is not in ISO 8601.
    """
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class RatedVersion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A version of a bot that has been active: a line of the log."""

    version: Number
    name: str
    parent: Number | None = None
    declared: Elo | None = None


class Finished(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a rated match: a line of the log."""

    match: Number
    players: list[Number]
    """Numbers of versions in seat order."""
    ranks: list[int]
    at: str = ""
    """When the match ended, ISO 8601."""
    rules: str = ""
    """Version of the rules. It does not matter for ratings: matches that were played by wrong rules are voided."""

    def ended_at(self) -> datetime:
        """Return when the match ended.

        Raises:
            ValueError: ``at`` is missing or wrong.
        """
        try:
            return moment_of(self.at)
        except ValueError as error:
            raise ValueError(f"Match {self.match}: `at` is no moment such as 2026-01-31T12:00:00Z.") from error

    def check(self) -> None:
        """Raise a ValueError that names the wrong field, if a rated match cannot have this result."""
        if not 2 <= len(self.players) <= PLAYERS_MAX:
            raise ValueError(f"Match {self.match}: `players` must be 2 to {PLAYERS_MAX} versions.")
        if len(set(self.players)) != len(self.players):
            raise ValueError(f"Match {self.match}: `players` has a version twice.")
        if problem := ranking_problem(self.ranks, len(self.players)):
            raise ValueError(f"Match {self.match}: `ranks` {problem}.")


class PublishedRating(NamedTuple):
    """A version's rating, rounded so that every machine computes the same digits."""

    version: int
    rating: float
    se: float


BOARD_DIGITS = 3
"""Decimal places of published ratings. Results of different machines differ from about the eleventh digit on."""


@dataclass
class MatchLog:
    """The versions and the results of one game, by number."""

    versions: dict[int, RatedVersion] = field(default_factory=dict)
    matches: dict[int, Finished] = field(default_factory=dict)

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of the log, without line ends: versions, then matches, each sorted by number."""
        for rows in (self.versions, self.matches):
            for _, row in sorted(rows.items()):
                yield msgspec.json.encode(row)

    @classmethod
    def of_lines(cls, lines: Iterable[bytes]) -> MatchLog:
        """Return the log with these lines. A line that occurs twice counts once.

        Raises:
            ValueError: a line is neither a version nor a match, or has a wrong field, or differs from an earlier one of
                the same number; the sentence names line, match and field.
        """
        log = cls()
        for number, line in enumerate(lines, start=1):
            try:
                log._add(decoded(line, dict[str, object]))
            except (ValueError, RecursionError) as error:
                raise ValueError(f"Line {number} of the log: {error}") from error
        log._check_known()
        return log

    def _add(self, row: dict[str, object]) -> None:
        if "match" in row:
            match = msgspec.convert(row, Finished)
            match.check()
            _check_same(f"Match {match.match}", self.matches.setdefault(match.match, match), match)
        else:
            version = msgspec.convert(row, RatedVersion)
            _check_same(f"Version {version.version}", self.versions.setdefault(version.version, version), version)

    def _check_known(self) -> None:
        """Raise a ValueError if the log lacks the line of a player or parent, or a version is its own ancestor."""
        for match in self.matches.values():
            if not self.versions.keys() >= set(match.players):
                unknown = min(set(match.players) - self.versions.keys())
                raise ValueError(
                    f"Match {match.match}: `players` names Version {unknown}, which the log does not describe."
                )
        for version in self.versions.values():
            if version.parent is not None and version.parent not in self.versions:
                raise ValueError(f"Version {version.version}: `parent` {version.parent} is not described in the log.")
        try:
            TopologicalSorter({v.version: [v.parent] for v in self.versions.values() if v.parent is not None}).prepare()
        except CycleError as error:
            raise ValueError(f"Version {error.args[1][0]}: `parent` leads back to the version itself.") from error

    def until(self, moment: datetime) -> MatchLog:
        """Return the log of the matches that had ended by a moment, with their players and the players' ancestors.

        Raises:
            ValueError: the log does not say when a match ended.
        """
        matches = {number: match for number, match in self.matches.items() if match.ended_at() <= moment}
        known, new = set[int](), {player for match in matches.values() for player in match.players}
        while new:
            known |= new
            parents = {self.versions[number].parent for number in new}
            new = {parent for parent in parents if parent is not None} - known
        return MatchLog({number: row for number, row in self.versions.items() if number in known}, matches)

    def fit(self) -> tuple[list[int], Fit]:
        """Return the sorted numbers of the versions, and the fit of their ratings (see ``fit_versions``).

        Raises:
            ValueError: the log lacks the line of a parent or a player.
        """
        self._check_known()
        return fit_versions(self.versions, results_collect((m.players, m.ranks) for m in self.matches.values()))

    def board(self) -> list[PublishedRating]:
        """Return the ratings as they are published, sorted by version."""
        return published(*self.fit())


def fit_versions(versions: Mapping[int, RatedVersion], results: Sequence[Results]) -> tuple[list[int], Fit]:
    """Return the sorted numbers of versions, and the fit of their ratings in this order.

    The fit never starts from earlier ratings: equal arguments give equal results to the last bit.

    Args:
        versions: by number.
        results: every match once, in any order; players are numbers of versions.

    Raises:
        ValueError: a player or a parent is not among the versions.
    """
    numbers = sorted(versions)
    index = {number: bot for bot, number in enumerate(numbers)}
    try:
        parents = {index[v.version]: index[v.parent] for v in versions.values() if v.parent is not None}
    except KeyError as error:
        raise ValueError(f"Version {error} is a parent, but is not described.") from error
    anchors = {index[v.version]: v.declared for v in versions.values() if v.declared is not None}
    numbered = [Results(_numbered(table.players, numbers), table.ranks) for table in results]
    return numbers, fit(len(numbers), numbered, Prior.of_parents(len(numbers), parents), anchors=anchors)


def published(versions: Sequence[int], fitted: Fit) -> list[PublishedRating]:
    """Return the rounded ratings of a fit of these versions."""
    columns = (np.round(values, BOARD_DIGITS).tolist() for values in (fitted.rating, fitted.se))
    return [PublishedRating(*row) for row in zip(versions, *columns, strict=True)]


def _numbered(players: Ints, versions: Sequence[int]) -> Ints:
    """Return the index of each player in the sorted numbers of the versions; raise ValueError if one is missing."""
    sorted_versions = np.array(versions, dtype=np.int64)
    places = np.searchsorted(sorted_versions, players)
    unknown = players[np.append(sorted_versions, -1)[places] != players]
    if len(unknown):
        raise ValueError(f"Version {unknown[0]} has played, but is not described.")
    return places


def _check_same(what: str, before: msgspec.Struct, now: msgspec.Struct) -> None:
    """Raise a ValueError that names the first field in which two rows differ."""
    for name in before.__struct_fields__:
        if getattr(before, name) != getattr(now, name):
            raise ValueError(f"{what} comes twice, and `{name}` is another than before.")
