"""Recorded results of the original core and of the article's algorithm are repeated, one by one and in batches."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from games.kakomimasu import protocol, rules
from games.kakomimasu.judge import judge
from tests.games.kakomimasu.positions import Request, batch, batch_orders, drawn, is_plain, vectors


@pytest.mark.parametrize("name", ["fill", "fill_2020", "turn", "games"])
def test_the_judge_repeats_the_vectors(name: str) -> None:
    recorded = vectors(name)
    assert len(recorded) >= 300
    wrong = [number for number, (request, answer) in enumerate(recorded) if judge(request) != answer]
    assert wrong == []


def by_players(name: str) -> list[tuple[list[Request], list[dict[str, Any]]]]:
    """Return the vectors of a file by number of players; each group has boards of all sizes."""
    groups = defaultdict(list)
    for request, answer in vectors(name):
        groups[request["nplayer"]].append((request, answer))
    return [([request for request, _ in group], [answer for _, answer in group]) for group in groups.values()]


@pytest.mark.parametrize("name", ["fill", "fill_2020"])
def test_enclosures_of_all_sizes_in_one_batch(name: str) -> None:
    for requests, answers in by_players(name):
        state = batch(requests)
        cells, scores = state.cells.copy(), state.scores.copy()
        rules.enclose(state, cells, scores)
        after = replace(state, cells=cells)
        for b, (request, answer) in enumerate(zip(requests, answers, strict=True)):
            assert protocol.tiles(after, b) == drawn(request, answer["field"])
            assert scores[..., b].tolist() == answer.get("points", scores[..., b].tolist())
        again, counted = cells.copy(), scores.copy()
        rules.enclose(after, again, counted)
        assert np.array_equal(again, cells)  # so a turn that changes no cell has nothing to enclose
        assert np.array_equal(counted, scores)


def test_the_first_turn_on_a_position_encloses_unchanged_rings_too() -> None:
    """A question may have cells inside rings that are no area yet: the first turn makes them area."""
    [(request, answer)] = [each for each in vectors("fill") if each[0]["field"] != each[1]["field"]][:1]
    state = batch([request])
    after = rules.step(state, np.zeros((3, *state.agents.shape), np.int16))
    assert protocol.tiles(after, 0) == drawn(request, answer["field"]) != protocol.tiles(state, 0)


@pytest.mark.parametrize("name", ["turn", "games"])
def test_turns_of_all_sizes_in_one_batch(name: str) -> None:
    for requests, answers in by_players(name):
        plain_ones = [number for number, request in enumerate(requests) if is_plain(request)]
        assert len(plain_ones) > 10
        requests, answers = [requests[number] for number in plain_ones], [answers[number] for number in plain_ones]
        state = batch(requests)
        after = rules.step(state, batch_orders(requests, state))
        assert after.over.tolist() == [not answer["more"] for answer in answers]
        for b, (request, answer) in enumerate(zip(requests, answers, strict=True)):
            assert protocol.tiles(after, b) == drawn(request, answer["field"])
            assert protocol.agents(after, b) == answer["agents"]
            assert after.scores[..., b].tolist() == answer["points"]
            for results, sent, expected in zip(
                protocol.results(after, b), request["actions"], answer["res"], strict=True
            ):
                assert [results[order[0]] for order in sent] == expected
