"""Recorded matches of the original referee have the same results here, one by one and in batches."""

from __future__ import annotations

from collections import defaultdict

from games.back_to_the_code.judge import judge
from tests.games.back_to_the_code.matches import played, state_json, vectors


def test_the_judge_repeats_the_vectors() -> None:
    recorded = vectors()
    assert len(recorded) >= 100
    wrong = [number for number, (request, answer) in enumerate(recorded) if judge(request) != answer]
    assert wrong == []


def test_matches_of_a_size_in_one_batch() -> None:
    groups = defaultdict(list)
    for request, answer in vectors():
        groups[request["w"], request["h"], request["n"], request["max"]].append((request, answer["states"]))
    assert max(map(len, groups.values())) >= 8
    for group in groups.values():
        for number, state in enumerate(played([request for request, _ in group])):
            for b, (_, states) in enumerate(group):
                expected = states[min(number, len(states) - 1)]
                assert state_json(state, b) == {name: expected[name] for name in state_json(state, b)}
                assert bool(state.over[b]) == (number >= len(states) - 1)
