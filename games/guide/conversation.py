"""The conversation of a bot with the referee on a guide page: questions and answers of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.game import Game, JsonObject
from core.referee import Ask, Reply, SeatInfo, drive, play

FIRST_LISTED = "(the first one)"
"""Stands for an answer of a script: the bot answers the first action that the question lists."""
LISTED = "&BUILD"
"""Lines of a question that contain this are listed actions (of Wondev Woman)."""

Part = tuple[str, int]
"""The name of some consecutive lines of a question, and their number; 0: all remaining lines."""


@dataclass(frozen=True, slots=True)
class Question:
    """The parts of a question in order, and the name of its answer."""

    parts: tuple[Part, ...]
    answer: str = "answer"


@dataclass(frozen=True, slots=True)
class Script:
    """A match with prescribed answers."""

    introduction: tuple[Part, ...]
    """Parts that precede those of the first question."""
    shown: Mapping[int, Question]
    """The questions to the first seat that the page shows, by number from 1."""
    own: tuple[tuple[str, ...], ...]
    """The answers of the first seat; after the last one the match ends."""
    others: tuple[tuple[str, ...], ...]
    """The answers of every other seat; the last one is repeated."""
    seed: int
    options: JsonObject = field(default_factory=dict)
    players: int = 2


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question to the first seat, and its answer."""

    number: int
    """Number of the question, from 1."""
    asked: tuple[tuple[str, tuple[str, ...]], ...]
    """Name and lines of each part of the question, in order."""
    name: str
    """Name of the answer."""
    answer: tuple[str, ...]
    """Lines of the answer."""


def conversation(game: Game[object], script: Script) -> tuple[Exchange, ...]:
    """Play the match of a script, and return the questions and answers that the page shows.

    Raises:
        ValueError: a question does not have the number of lines that the script says.
    """
    played: list[list[tuple[tuple[str, ...], tuple[str, ...]]]] = [[] for _ in range(script.players)]

    def reply(ask: Ask) -> Reply:
        before = played[ask.seat]
        if ask.seat == 0 and len(before) == len(script.own):
            return Reply([], fault="crashed")
        answers = script.others if ask.seat else script.own
        answer = answers[min(len(before), len(answers) - 1)]
        if answer == (FIRST_LISTED,):
            answer = next((line,) for line in ask.lines if LISTED in line)
        before.append((ask.lines, answer))
        return Reply(answer)

    seats = [SeatInfo(f"bot {seat}") for seat in range(script.players)]
    match = play(game, seed=script.seed, seats=seats, options=script.options)
    drive(match, lambda turn: {ask.seat: reply(ask) for ask in turn.asks})
    exchanges = []
    for number, question in script.shown.items():
        lines, answer = played[0][number - 1]
        parts = script.introduction + question.parts if number == 1 else question.parts
        exchanges.append(Exchange(number, _cut(lines, parts), question.answer, answer))
    return tuple(exchanges)


def _cut(lines: Sequence[str], parts: Sequence[Part]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return name and lines of each part of a question; raise ValueError if the parts do not fit the lines."""
    rest = tuple(lines)
    cut = []
    for name, count in parts:
        size = count or len(rest)
        if len(rest) < size:
            raise ValueError(f"The question has too few lines for its part {name!r}.")
        cut.append((name, rest[:size]))
        rest = rest[size:]
    if rest:
        raise ValueError(f"The question has more lines than its parts: {rest[0]!r}.")
    return tuple(cut)
