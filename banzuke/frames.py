"""The turns of a match as text, from a replay or from a match that is played at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from banzuke.referee.play import frame_text
from core.game import JsonObject
from core.referee import Match, Reply, Turn
from core.text import printable

ANSWER_CHARS = 100
"""How many characters of an answer are shown."""


class Frames:
    """A list of texts, one for each record of a replay, made when they are asked for: a live match plays no further."""

    def __init__(self, records: Iterator[JsonObject]) -> None:
        self._records = records
        self._texts: list[str] = []
        self._names: list[str] = []

    def reach(self, number: int) -> int:
        """Make all frames up to this number; return the number, or that of the last frame if there are fewer."""
        for record in islice(self._records, max(0, number + 1 - len(self._texts))):
            self._texts.append(printable(self._text(record)))
        return min(max(number, 0), len(self._texts) - 1)

    def __getitem__(self, number: int) -> str:
        return self._texts[number]

    def _text(self, record: JsonObject) -> str:
        if "format" in record:
            self._names = [seat["name"] for seat in record["seats"]]
            players = [f"seat {seat}: {name}" for seat, name in enumerate(self._names)]
            return "\n".join([f"{record['game']}, seed {record['seed']}", *players, frame_text(record)])
        if "frame" in record:
            answers = [self._answer(seat, reply) for seat, reply in enumerate(record["seats"]) if reply]
            return "\n".join([f"turn {record['turn']}", *answers, frame_text(record)])
        return self._result(record)

    def _answer(self, seat: int, reply: JsonObject) -> str:
        fault = f" [{reply['fault']}]" if reply["fault"] else ""
        answer = " | ".join(reply["answer"])[:ANSWER_CHARS]
        return f"seat {seat}: {answer} ({reply['cpu_ms']:g} ms){fault}"

    def _result(self, footer: JsonObject) -> str:
        lines = [f"The match has ended after {footer['turns']} turns."]
        for seat in sorted(range(len(self._names)), key=footer["ranks"].__getitem__):
            fault = footer["faults"][seat]
            how = f" Turn {fault['turn']}, {fault['verdict']}: {fault['sentence']}" if fault else ""
            lines.append(f"{footer['ranks'][seat]}. {self._names[seat]}, {footer['scores'][seat]:g}.{how}")
        return "\n".join(lines)


def played_records(match: Match, answers: Callable[[Turn], Mapping[int, Reply]]) -> Iterator[JsonObject]:
    """Yield the records of a match and play it no further than they are asked for.

    Args:
        match: the match, not begun.
        answers: returns the replies of the bots to a turn, by seat.
    """
    try:
        turn = next(match)
        while True:
            yield from turn.records
            turn = match.send(answers(turn))
    except StopIteration as stop:
        yield from stop.value.records
