"""Worked examples, drawn in ``enclosures.txt`` and ``turns.txt``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from games.kakomimasu.judge import judge
from games.kakomimasu.state import Kind, Result
from tests.games.kakomimasu import plain
from tests.games.kakomimasu.positions import drawn

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Example:
    """A block of the file: boards side by side, and lines of facts above or below them."""

    title: str
    lines: list[str]

    def boards(self) -> list[list[str]]:
        rows = [line.split("  ") for line in self.lines if re.fullmatch(r"[.A-Da-d ]+", line)]
        return [list(board) for board in zip(*rows, strict=True)]

    def facts(self, word: str) -> list[list[str]]:
        return [line.replace(" -> ", " ").split(" ")[1:] for line in self.lines if line.startswith(word + " ")]

    def request(self) -> dict[str, Any]:
        board = self.boards()[0]
        width, height = len(board[0]), len(board)
        points = [1] * (width * height)
        for cell, value in self.facts("worth"):
            x, y = place(cell)
            points[x + y * width] = int(value)
        field = [cell_of(tile) for row in board for tile in row]
        players = max(2, 1 + max(player for _, player in field))
        return {"op": "fill", "w": width, "h": height, "nplayer": players, "points": points, "field": field}

    def points(self) -> list[list[int]]:
        return [[int(wall), int(area)] for _, wall, area in self.facts("points")]


def place(text: str) -> list[int]:
    return [-1, -1] if text == "off" else [int(part) for part in text.split(",")]


def cell_of(tile: str) -> list[int]:
    if tile == ".":
        return [0, -1]
    return [1, "ABCD".index(tile)] if tile.isupper() else [0, "abcd".index(tile)]


def examples(name: str) -> list[Any]:
    blocks = (FOLDER / name).read_text().split("\n\n")[1:]
    parts = [block.strip().split("\n") for block in blocks]
    return [pytest.param(Example(title[2:], lines), id=title[2:]) for title, *lines in parts]


ENCLOSURES, TURNS = examples("enclosures.txt"), examples("turns.txt")


def test_no_example_is_missing() -> None:
    assert (len(ENCLOSURES), len(TURNS)) == (16, 15)


@pytest.mark.parametrize("example", ENCLOSURES)
def test_enclosures(example: Example) -> None:
    request = example.request()
    _, present, old = example.boards()
    answer = judge(request)
    assert drawn(request, answer["field"]) == present
    assert drawn(request, judge(request | {"fill": "2020"})["field"]) == old
    assert plain.judge(request) == answer
    for (_, *points), counted in zip(example.facts("points"), answer["points"], strict=False):
        assert counted == [int(value) for value in points]


@pytest.mark.parametrize("example", TURNS)
def test_turns(example: Example) -> None:
    request = example.request() | {"op": "turn", "totalTurn": 2, "turn": 1}
    agents = example.facts("agent")
    before, after = ([[place(facts[i]) for facts in agents if facts[0][0] == seat] for seat in "AB"] for i in (1, 2))
    orders = example.facts("order")
    actions = [
        [[int(who[1:]), Kind[kind], *place(to)] for who, kind, to, _ in orders if who[0] == seat] for seat in "AB"
    ]
    request |= {"nagent": len(before[0]), "agents": before, "actions": actions}
    answer = judge(request)
    assert drawn(request, answer["field"]) == example.boards()[1]
    assert answer["agents"] == after
    assert answer["res"] == [[Result[result] for who, _, _, result in orders if who[0] == seat] for seat in "AB"]
    assert answer["points"] == example.points()
    assert (answer["turn"], answer["status"], answer["more"]) == (2, "gaming", True)
    assert plain.judge(request) == answer
