"""The turns of a match as text, from a replay or from a match that is played at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import msgspec

from banzuke.drawings import values_of
from core.game import JsonObject
from core.referee import Match, Reply, Turn
from core.text import printable
from games.words import ENGLISH, Words, words_of

ANSWER_CHARS = 100
"""How many characters of an answer are shown."""


class Frames:
    """A list of texts, one for each record of a replay, made when they are asked for: a live match plays no further.

    ``errors`` is what bots have written to standard error, by turn and seat; a live match adds to it.
    """

    def __init__(self, records: Iterator[JsonObject], errors: Mapping[tuple[int, int], str] | None = None) -> None:
        self._records = records
        self._errors = {} if errors is None else errors
        self._texts: list[str] = []
        self._names: list[str] = []
        self._words = words_of("", ENGLISH)

    def reach(self, number: int) -> int:
        """Make all frames up to this number; return the number, or that of the last frame if there are fewer."""
        for record in islice(self._records, max(0, number + 1 - len(self._texts))):
            self._texts.append(printable(self._text(record)))
        return min(max(number, 0), len(self._texts) - 1)

    def __getitem__(self, number: int) -> str:
        return self._texts[number]

    def _text(self, record: JsonObject) -> str:
        if "format" in record:
            self._words = words_of(record["game"], ENGLISH)
            self._names = [seat["name"] for seat in record["seats"]]
            players = [f"seat {seat}: {name}" for seat, name in enumerate(self._names)]
            return "\n".join([f"{record['game']}, seed {record['seed']}", *players, self._frame_text(record)])
        if "frame" in record:
            turn = record["turn"]
            answers = [self._answer(turn, seat, reply) for seat, reply in enumerate(record["seats"]) if reply]
            return "\n".join([f"turn {record['turn']}", *answers, self._frame_text(record)])
        lines = [f"The match has ended after {record['turns']} turns."]
        for seat in sorted(range(len(self._names)), key=record["ranks"].__getitem__):
            fault = record["faults"][seat]
            how = f" Turn {fault['turn']}, {fault['verdict']}: {self._words.sentence(fault['why'])}" if fault else ""
            lines.append(f"{record['ranks'][seat]}. {self._names[seat]}, {record['scores'][seat]:g}.{how}")
        return "\n".join(lines)

    def _frame_text(self, record: JsonObject) -> str:
        return frame_text(record, self._words, told_apart(self._names))

    def _answer(self, turn: int, seat: int, reply: JsonObject) -> str:
        fault = f" [{reply['fault']}]" if reply["fault"] else ""
        answer = " | ".join(reply["answer"])[:ANSWER_CHARS]
        values = [f"{name} {value:g}" for name, value in values_of(self._errors.get((turn, seat), "")).items()]
        return "  ".join([f"seat {seat}: {answer} ({reply['cpu_ms']:g} ms){fault}", *values])


def played_records(match: Match, answers: Callable[[Turn], Mapping[int, Reply]]) -> Iterator[JsonObject]:
    """Yield the records of a match, and play it no further than they are asked for.

    ``match`` is a new generator of ``core.referee.play``; ``answers`` returns the bots' replies to a turn, by seat.
    """
    try:
        turn = next(match)
        while True:
            yield from turn.records
            turn = match.send(answers(turn))
    except StopIteration as stop:
        yield from stop.value.records


def told_apart(names: Sequence[str]) -> list[str]:
    """Return the names of bots by seat, with the seat added to those that occur several times."""
    return [name if names.count(name) == 1 else f"{name} (seat {seat})" for seat, name in enumerate(names)]


def frame_text(record: JsonObject, words: Words, bots: Sequence[str]) -> str:
    """Return the frame of a header or turn of a replay as text, and the sentences of its events.

    ``words`` are the sentences of the game, ``bots`` the names of the bots by seat.

    Lists of strings are pictures, printed row by row; lists of pictures of one height are printed side by side. All
    other values are printed as JSON.
    """
    lines = [""]
    for name, value in record["frame"].items():
        lines += _value_lines(name, value)
    for event in record.get("events", ()):
        lines.append(words.sentence(event, bots))
    return "\n".join(lines)


def _value_lines(name: str, value: Any) -> list[str]:
    if _is_picture(value):
        return list(value)
    if value and isinstance(value, list) and all(map(_is_picture, value)) and len(set(map(len, value))) == 1:
        return ["  ".join(rows) for rows in zip(*value, strict=True)]
    return [f"{name}: {msgspec.json.encode(value).decode()}"]


def _is_picture(value: Any) -> bool:
    rows = value if isinstance(value, list) else []
    return bool(rows) and all(isinstance(row, str) and len(row) > 1 for row in rows)
