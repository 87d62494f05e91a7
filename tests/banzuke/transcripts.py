"""The conversations in ``docs/authors/<game>.md``. ``python -m tests.banzuke.transcripts`` writes them anew."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import core
from core.game import JsonObject
from core.referee import Ask, Reply, SeatInfo, drive, play

FOLDER = Path(__file__).parents[2] / "docs" / "authors"
BLOCK = re.compile(r"(?<=```text\n).*?(?=```)", re.DOTALL)
"""Of a page: the conversation is the only one."""
SHOWN = 2
"""Legal actions that are shown of a long list."""


@dataclass(frozen=True)
class Script:
    """A match whose answers stand here."""

    own: list[list[str]]
    """What the first seat answers, one question after the other: the conversation goes so far."""
    others: list[str]
    """What all others answer, always."""
    seed: int
    options: JsonObject
    players: int = 2


SCRIPTS = {
    "kakomimasu": Script([["PUT 3 3", "PUT 5 5"], ["MOVE 4 4", "NONE"]], ["NONE", "NONE"], 6, {"agents": 2}),
    "wondev_woman": Script([["the first"], ["the first"]], ["the first"], 5, {}),
    "back_to_the_code": Script([["17 10"], ["17 10 to the middle"]], ["0 0"], 0, {}),
    "attack25": Script([["6"], ["13"], ["4"]], ["2"], 0, {}, players=4),
    "puyo": Script([["2 0"], ["0 1"]], ["5 0"], 0, {}),
}


def transcript(game: str) -> str:
    """Return what the first seat reads (>) and writes (<) at the beginning of a match."""
    script = SCRIPTS[game]
    lines: list[str] = []
    own = iter(script.own)

    def reply(ask: Ask) -> Reply:
        if ask.seat:
            return Reply(_legal(ask, script.others))
        scripted = next(own, None)
        if scripted is None:
            return Reply([], fault="crashed", sentence="The conversation is over.")
        answer = _legal(ask, scripted)
        lines.extend([*_shortened(ask.lines), *(f"< {line}" for line in answer)])
        return Reply(answer)

    seats = [SeatInfo(f"bot {seat}") for seat in range(script.players)]
    match = play(core.game(game), seed=script.seed, seats=seats, options=script.options)
    drive(match, lambda turn: {ask.seat: reply(ask) for ask in turn.asks})
    return "\n".join(lines) + "\n"


def _legal(ask: Ask, answer: list[str]) -> list[str]:
    """Return an answer; where the legal ones are listed, the first of them."""
    listed = [line for line in ask.lines if "&BUILD" in line]
    return listed[:1] or answer


def _shortened(asked: tuple[str, ...]) -> list[str]:
    shown = []
    for is_action, group in groupby(asked, lambda line: "&BUILD" in line):
        lines = [f"> {line}" for line in group]
        rest = len(lines) - SHOWN
        shown += [*lines[:SHOWN], f"> (and {rest} more)"] if is_action and rest > 0 else lines
    return shown


def main() -> None:
    """Write the conversations into the pages."""
    for game in SCRIPTS:
        page = FOLDER / f"{game}.md"
        page.write_text(BLOCK.sub(lambda found, game=game: transcript(game), page.read_text(), count=1))


if __name__ == "__main__":
    main()
