"""Recorded results of the original engines and referees are repeated, one by one and in batches."""

from __future__ import annotations

import numpy as np
import pytest

from games.puyo.chain import resolve
from games.puyo.field import COLUMNS, TSU, read, rows
from games.puyo.judge import judge
from games.puyo.placements import PLACEMENTS, reachable
from tests.games.puyo import plain
from tests.games.puyo.positions import vectors


@pytest.mark.parametrize(
    ("name", "count"), [("chain", 494), ("placements", 612), ("play", 10), ("smash_the_code", 757)]
)
def test_the_judge_repeats_the_vectors(name: str, count: int) -> None:
    recorded = vectors(name)
    assert len(recorded) == count
    wrong = [number for number, (request, answer) in enumerate(recorded) if judge(request) != answer]
    assert wrong == []


def test_all_chains_in_one_batch() -> None:
    recorded = vectors("chain")
    fields = np.stack([read(TSU, request["field"], ".#RYGB") for request, _ in recorded], axis=1)
    resolved = resolve(TSU, fields)
    after = rows(TSU, resolved.fields, b".#RYGB")
    for n, (_, answer) in enumerate(recorded):
        found = int(resolved.chains[n]), int(resolved.score[n]), after[n * TSU.rows : (n + 1) * TSU.rows]
        assert found == (answer["chains"], answer["score"], answer["after"])


def test_all_placements_in_one_batch() -> None:
    recorded = vectors("placements")
    legal = reachable(np.array([request["heights"] for request, _ in recorded]).T)
    for n, (_, answer) in enumerate(recorded):
        assert [[x + 1, r] for (x, r), allowed in zip(PLACEMENTS, legal[:, n], strict=True) if allowed] == answer[
            "legal"
        ]


def test_the_reference_repeats_the_vectors_itself() -> None:
    for request, answer in vectors("chain"):
        cells = [[row[x] for row in reversed(request["field"]) if row[x] != "."] for x in range(COLUMNS)]
        assert plain.resolve([["#RYGB".index(cell) for cell in column] for column in cells]) == (
            answer["chains"],
            answer["score"],
        )
    for request, answer in vectors("placements"):
        assert [[x + 1, r] for x, r in plain.reachable(request["heights"])] == answer["legal"]


def test_the_reference_repeats_the_recorded_matches_itself() -> None:
    for request, answer in vectors("play"):
        pairs = [["#RYGB".index(colour) for colour in pair] for pair in request["pairs"]]
        match = plain.Match(pairs, request["permutations"])
        for moves, tick in zip(request["moves"], answer["ticks"], strict=True):
            match.step([move and (move[0] - 1, move[1]) for move in moves])
            for name, key in [("score", "score"), ("pending", "pending"), ("fixed", "fixed"), ("carry", "carry"),
                              ("all_clear", "ac"), ("chain", "chainstep"), ("dead", "dead")]:  # fmt: skip
                assert [int(getattr(player, name)) for player in match.players] == tick[key]
        assert match.over
