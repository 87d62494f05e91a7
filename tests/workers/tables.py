"""The site's end of a table, for tests of its worker: reads seats' streams and puts answers into their lists."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec
from redis import Redis

from games.registry import game_named
from tests.workers.conftest import FileSite, seat_program
from wire.jobs import RemoteProgram, TableJob
from wire.live import LINES_FIELD
from wire.tables import TOLD_FIELD, Answer, Out, Question, Told, answers_key, seat_key

WAIT_SECONDS = 90


class Seat:
    """A player at a remote seat."""

    def __init__(self, client: Redis, token: str, seat: int, *, host: str = "") -> None:
        self.client = client
        self.lines: list[dict[str, Any]] = []
        """The lines of the replay that have come."""
        self.told: list[Told] = []
        self._stream = seat_key(token, seat, host=host)
        self._answers = answers_key(token, seat, host=host)
        self._after = "0-0"

    def question(self) -> Question:
        """Wait for the next question."""
        told = self.next_told()
        assert isinstance(told, Question), told
        return told

    def out(self) -> Out:
        """Wait for the message that the seat is out."""
        told = self.next_told()
        assert isinstance(told, Out), told
        return told

    def next_told(self) -> Told:
        known = len(self.told)
        while len(self.told) == known:
            assert self._read(), "the seat was told nothing"
        return self.told[-1]

    def next_lines(self) -> None:
        """Wait for more lines of the replay."""
        known = len(self.lines)
        while len(self.lines) == known:
            assert self._read(), "no lines came"

    def until_end(self) -> None:
        """Read until the footer of the replay has come."""
        while not (self.lines and "ranks" in self.lines[-1]):
            assert self._read(), "the match did not end"

    def answer(self, question: Question, *lines: str, leaves: bool = False, is_idle: bool = False) -> None:
        answer = Answer(number=question.number, lines=list(lines), leaves=leaves, is_idle=is_idle)
        self.client.rpush(self._answers, msgspec.json.encode(answer))

    def answer_idle(self, question: Question) -> None:
        self.answer(question, *["NONE"] * question.answer_lines)

    def _read(self) -> bool:
        """Wait for the next entry of the stream; return False if none comes."""
        ends = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < ends:
            for _, entries in self.client.xread({self._stream: self._after}, count=1, block=1_000):
                for entry, fields in entries:
                    self._after = entry
                    if LINES_FIELD in fields:
                        self.lines += [msgspec.json.decode(line) for line in fields[LINES_FIELD].split(b"\n")]
                    else:
                        self.told.append(msgspec.json.decode(fields[TOLD_FIELD], type=Told))
                    return True
        return False


def table_job(
    site: FileSite, source: str, *, token: str, seat: int = 0, players: Sequence[int] = (), **changes: Any
) -> TableJob:
    """Return the job of a short match of Kakomimasu in which one seat, or some, are remote and the other is a bot."""
    remotes = {index: RemoteProgram(f"player {index}", 20) for index in players or (seat,)}
    bots = {index: seat_program(site, source, f"bot {index}") for index in range(2) if index not in remotes}
    fields: dict[str, Any] = {
        "game": "kakomimasu",
        "options": {"board": "A-1", "turns": 3},
        "remotes": remotes,
        **changes,
    }
    return TableJob(
        match_id=7,
        attempt=1,
        lease_token=token,
        rules_version=game_named(fields["game"]).rules_version,
        seed=1,
        bots=fields.pop("bots", bots),
        replay_url=f"{site.url}/put",
        **fields,
    )
