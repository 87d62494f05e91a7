"""The judge gives the recorded answers of the article's program (without its repeated numbers)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from games.attack25.judge import judge_text
from games.attack25.state import COLOURS
from tests.games.attack25 import plain

VECTORS = Path(__file__).parents[2] / "vectors/attack25/judge_text.jsonl.gz"


def vectors() -> list[dict[str, str]]:
    with gzip.open(VECTORS, "rt") as file:
        return [json.loads(line) for line in file]


def test_the_judge_repeats_the_vectors() -> None:
    recorded = vectors()
    assert len(recorded) > 200
    assert [vector for vector in recorded if judge_text(vector["stdin"]) != vector["stdout"]] == []


def test_the_reference_repeats_them_itself() -> None:
    for vector in vectors():
        owners = [line.split(",") for line in vector["stdin"].split()]
        board = {int(panel): COLOURS.index(colour) for colour, *panels in owners for panel in panels}
        lines = [[colour, *map(str, plain.legal(board, COLOURS.index(colour))[1])] for colour, *_ in owners]
        assert "".join(",".join(line) + "\n" for line in lines) == vector["stdout"]
