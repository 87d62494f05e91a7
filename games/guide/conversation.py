"""How a bot and the referee talk: some questions of a match, which the core plays, cut into their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.game import Game, JsonObject
from core.referee import Ask, Reply, SeatInfo, drive, play

FIRST_LISTED = "(the first one)"
"""As an answer: the first of the actions that the question lists."""
LISTED = "&BUILD"
"""What the lines of such a list have in them."""

Part = tuple[str, int]
"""What some lines of a question are, and how many of them there are; 0: all that are left."""


@dataclass(frozen=True, slots=True)
class Question:
    """The parts of a question, and what its answer is."""

    parts: tuple[Part, ...]
    answer: str = "answer"


@dataclass(frozen=True, slots=True)
class Script:
    """A match whose answers stand here."""

    introduction: tuple[Part, ...]
    shown: Mapping[int, Question]
    """Of the questions that the first seat is asked, those that are shown, by their number from 1."""
    own: tuple[tuple[str, ...], ...]
    """What it answers to all of them; the match goes so far."""
    others: tuple[tuple[str, ...], ...]
    """What all others answer; the last answer also to all further questions."""
    seed: int
    options: JsonObject = field(default_factory=dict)
    players: int = 2


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer."""

    number: int
    """Of the question, from 1."""
    asked: tuple[tuple[str, tuple[str, ...]], ...]
    """Lines by the name of their part, in their order."""
    name: str
    """Of the answer."""
    answer: tuple[str, ...]


def conversation(game: Game[object], script: Script) -> tuple[Exchange, ...]:
    """Play a script.

    Raises:
        ValueError: a question has not the parts that the script says.
    """
    heard: list[list[tuple[tuple[str, ...], tuple[str, ...]]]] = [[] for _ in range(script.players)]

    def reply(ask: Ask) -> Reply:
        before = heard[ask.seat]
        if ask.seat == 0 and len(before) == len(script.own):
            return Reply([], fault="crashed", sentence="The conversation is over.")
        answers = script.others if ask.seat else script.own
        answer = _chosen(ask, answers[min(len(before), len(answers) - 1)])
        before.append((ask.lines, answer))
        return Reply(answer)

    seats = [SeatInfo(f"bot {seat}") for seat in range(script.players)]
    match = play(game, seed=script.seed, seats=seats, options=script.options)
    drive(match, lambda turn: {ask.seat: reply(ask) for ask in turn.asks})
    return tuple(_exchange(script, number, *heard[0][number - 1]) for number in script.shown)


def _exchange(script: Script, number: int, lines: tuple[str, ...], answer: tuple[str, ...]) -> Exchange:
    question = script.shown[number]
    parts = script.introduction + question.parts if number == 1 else question.parts
    return Exchange(number, _cut(lines, parts), question.answer, answer)


def _chosen(ask: Ask, answer: tuple[str, ...]) -> tuple[str, ...]:
    return answer if answer != (FIRST_LISTED,) else next((line,) for line in ask.lines if LISTED in line)


def _cut(lines: Sequence[str], parts: Sequence[Part]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    rest = tuple(lines)
    cut = []
    for name, count in parts:
        taken = count or len(rest)
        if len(rest) < taken:
            raise ValueError(f"The question has too few lines for its part {name!r}.")
        cut.append((name, rest[:taken]))
        rest = rest[taken:]
    if rest:
        raise ValueError(f"The question has more lines than its parts: {rest[0]!r}.")
    return tuple(cut)
