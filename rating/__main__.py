"""The command line ``python -m rating``: ``fit < question.json``, ``fit --log FILE`` and ``simulate``.

``simulate`` is a study by programs below ``tests``, so it works in a source tree alone.
"""

from __future__ import annotations

import argparse
import sys
from datetime import datetime
from pathlib import Path
from typing import IO, Annotated, Any

import msgspec
import numpy as np

from rating.fit import fit
from rating.log import Elo, MatchLog, decoded, moment_of
from rating.model import Prior
from rating.orders import PLAYERS_MAX, Floats, Results, ranking_problem, results_collect

BOTS_MAX = 1_000_000
"""A question may not name more bots: their ratings might need more memory than the machine has."""

Sd = Annotated[float, msgspec.Meta(ge=1e-6, le=1e9)]
"""A standard deviation in Elo points. The square of a number beyond these limits would lose its digits."""


class PriorForm(msgspec.Struct, forbid_unknown_fields=True):
    """The field ``prior`` of a question. None as a whole or for a single bot means that there is no such prior."""

    mean: Elo | list[Elo | None] | None = None
    sd: Sd | list[Sd | None] | None = None
    seat_sd: Sd | None = None
    lineage: list[tuple[int, int, Sd]] | None = None

    def prior(self, bots: int) -> Prior:
        """Return the prior of the rating model for ``bots`` bots.

        Raises:
            ValueError: a field is wrong; the sentence names it.
        """
        for name, given in (("mean", self.mean), ("sd", self.sd)):
            if isinstance(given, list) and len(given) != bots:
                raise ValueError(f"`prior.{name}` must be one number, or one a bot.")
        if any(
            child == parent or not (0 <= min(child, parent) <= max(child, parent) < bots)
            for child, parent, _ in self.lineage or []
        ):
            raise ValueError(f"`prior.lineage` must name two different bots from 0 to {bots - 1}.")
        sd = _numbers(self.sd, absent=np.inf)
        mean = _numbers(self.mean, absent=0.0)
        return Prior(mean, np.where(_present(self.mean), sd, np.inf), self.seat_sd, self.lineage or [])


class MatchForm(msgspec.Struct, forbid_unknown_fields=True):
    """An entry of the field ``matches`` of a question. If ``seats`` is missing, the players are in seat order."""

    players: list[int]
    ranks: list[int]
    seats: list[int] | None = None

    def in_seat_order(self, bots: int) -> tuple[list[int], list[int]]:
        """Return the players and the ranks, both in seat order.

        Raises:
            ValueError: a field is wrong; the sentence names it.
        """
        seats = self.seats if self.seats is not None else list(range(len(self.players)))
        if sorted(seats) != list(range(len(self.players))):
            raise ValueError("`seats` must be 0, 1, .. once each, one a player.")
        if not 2 <= len(self.players) <= PLAYERS_MAX or len(set(self.players)) < len(self.players):
            raise ValueError(f"`players` must be 2 to {PLAYERS_MAX} bots: none can play against itself.")
        if not all(0 <= player < bots for player in self.players):
            raise ValueError(f"`players` must be numbered from 0 to {bots - 1}.")
        if problem := ranking_problem(self.ranks, len(self.players)):
            raise ValueError(f"`ranks` {problem}.")
        by_seat = np.argsort(seats).tolist()
        return [self.players[i] for i in by_seat], [self.ranks[i] for i in by_seat]


class FitQuestion(msgspec.Struct):
    """The JSON object that ``fit`` reads from standard input. Further fields are ignored."""

    bots: Annotated[int, msgspec.Meta(ge=0, le=BOTS_MAX)]
    matches: list[MatchForm]
    prior: PriorForm

    def results(self) -> list[Results]:
        """Return the results of the matches.

        Raises:
            ValueError: a field of a match is wrong; the sentence names the match, counted from 0, and the field.
        """
        rows = []
        for number, match in enumerate(self.matches):
            try:
                rows.append(match.in_seat_order(self.bots))
            except ValueError as error:
                raise ValueError(f"Match {number}: {error}") from error
        return results_collect(rows)


def _numbers(given: float | list[float | None] | None, absent: float) -> Floats:
    values = given if isinstance(given, list) else [given]
    numbers = np.array([absent if value is None else value for value in values], dtype=np.float64)
    return numbers if isinstance(given, list) else numbers[0]


def _present(given: float | list[float | None] | None) -> Any:
    return [value is not None for value in given] if isinstance(given, list) else given is not None


def _rounded(values: Floats) -> list[float]:
    return [round(value, 3) for value in values.tolist()]


def fit_question(stdin: IO[bytes]) -> dict[str, Any]:
    """Read a question and return the object that answers it.

    ``rating`` and ``se`` are the bots' ratings and standard errors before centring, in Elo points; ``seat`` are the
    advantages of the seats for each number of players in turn, None if the question has no ``seat_sd``.

    Raises:
        ValueError: the question is wrong, or does not determine the ratings.
    """
    try:
        question = decoded(stdin.read(), FitQuestion)
    except ValueError as error:
        raise ValueError(f"The question on standard input cannot be read: {error}. To fit a log, add --log.") from error
    answer = fit(question.bots, question.results(), question.prior.prior(question.bots))
    seats = _rounded(answer.seats) if question.prior.seat_sd is not None else None
    return {"rating": _rounded(answer.rating), "se": _rounded(answer.se_posterior), "seat": seats}


def fit_log(path: Path, until: datetime | None = None) -> dict[str, Any]:
    """Read a match log and return the ratings as the leaderboard shows them, sorted by version.

    They are four lists: ``version``, ``name``, ``rating`` and ``se`` (Elo points). Matches that ended later than
    ``until`` are left out.

    Raises:
        ValueError: the file cannot be read, or is no valid match log.
    """
    try:
        with path.open("rb") as lines:
            log = MatchLog.of_lines(lines)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}.") from error
    board = (log.until(until) if until else log).board()
    return {
        "version": [row.version for row in board],
        "name": [log.versions[row.version].name for row in board],
        "rating": [row.rating for row in board],
        "se": [row.se for row in board],
    }


def _answer(arguments: argparse.Namespace) -> dict[str, Any]:
    if arguments.log:
        return fit_log(arguments.log, arguments.until)
    if sys.stdin is None:
        raise ValueError("Standard input is closed. Please give a question there, or a log by --log FILE.")
    if sys.stdin.isatty():
        sys.stderr.write("Reading a question from standard input; to fit a log, end this and add --log FILE.\n")
    return fit_question(sys.stdin.buffer)


def _moment(text: str) -> datetime:
    try:
        return moment_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no moment such as 2026-01-31T12:00Z") from error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}", description="Ratings from results of matches.")
    commands = parser.add_subparsers(dest="command", required=True)
    fitting = commands.add_parser("fit", help="fit ratings; prints one JSON object")
    fitting.add_argument("--log", type=Path, help="a downloaded match log; else a question is read from standard input")
    fitting.add_argument(
        "--until", type=_moment, help="count matches of the log that ended until then: 2026-01-31T12:00Z"
    )
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command line and return its exit code: 2, with a sentence on standard error, if the input is wrong."""
    given = sys.argv[1:] if argv is None else argv
    if given[:1] == ["simulate"] and __package__ == "rating":  # not in the wheel, which has no tests
        from tests.studies.rating import main as study

        return study(given)
    arguments = _parser().parse_args(given)
    try:
        sys.stdout.write(msgspec.json.encode(_answer(arguments)).decode() + "\n")
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except (ValueError, OSError, RecursionError, MemoryError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
