"""A match as a row of pictures in text, of a replay or of a match that is being played while one looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from banzuke.referee.play import frame_text
from core.game import JsonObject
from core.referee import Match, Reply, Turn
from core.text import printable

ANSWER_CHARS = 100
"""Of an answer that are shown."""


class Film:
    """Pictures, taken from the records only when they are asked for."""

    def __init__(self, records: Iterator[JsonObject]) -> None:
        self._records = records
        self._pictures: list[str] = []
        self._names: list[str] = []

    def reach(self, number: int) -> int:
        """Go to a picture; returns its number, or that of the last one if there are fewer."""
        for record in islice(self._records, max(0, number + 1 - len(self._pictures))):
            self._pictures.append(printable(self._picture(record)))
        return min(max(number, 0), len(self._pictures) - 1)

    def __getitem__(self, number: int) -> str:
        return self._pictures[number]

    def _picture(self, record: JsonObject) -> str:
        if "format" in record:
            self._names = [seat["name"] for seat in record["seats"]]
            players = [f"seat {seat}: {name}" for seat, name in enumerate(self._names)]
            return "\n".join([f"{record['game']}, seed {record['seed']}", *players, frame_text(record)])
        if "frame" in record:
            answers = [self._answer(seat, told) for seat, told in enumerate(record["seats"]) if told]
            return "\n".join([f"turn {record['turn']}", *answers, frame_text(record)])
        return self._result(record)

    def _answer(self, seat: int, told: JsonObject) -> str:
        fault = f" [{told['fault']}]" if told["fault"] else ""
        answer = " | ".join(told["answer"])[:ANSWER_CHARS]
        return f"seat {seat}: {answer} ({told['cpu_ms']:g} ms){fault}"

    def _result(self, footer: JsonObject) -> str:
        lines = [f"The match has ended after {footer['turns']} turns."]
        for seat in sorted(range(len(self._names)), key=footer["ranks"].__getitem__):
            fault = footer["faults"][seat]
            told = f" Turn {fault['turn']}, {fault['verdict']}: {fault['sentence']}" if fault else ""
            lines.append(f"{footer['ranks'][seat]}. {self._names[seat]}, {footer['scores'][seat]:g}.{told}")
        return "\n".join(lines)


def played_records(match: Match, answers: Callable[[Turn], Mapping[int, Reply]]) -> Iterator[JsonObject]:
    """Play a match as fast as its records are asked for."""
    try:
        turn = next(match)
        while True:
            yield from turn.records
            turn = match.send(answers(turn))
    except StopIteration as stop:
        yield from stop.value.records
