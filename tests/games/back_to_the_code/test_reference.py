"""Random matches have the results of the plain reference, ``games.back_to_the_code.plain``."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.back_to_the_code.judge import judge
from tests.games.back_to_the_code import plain
from tests.games.back_to_the_code.matches import Request, played, random_request, requests, state_json, vectors


def test_the_reference_repeats_the_vectors_itself() -> None:
    assert [number for number, (request, answer) in enumerate(vectors()) if plain.judge(request) != answer] == []


@settings(max_examples=150)
@given(requests())
def test_matches(request: Request) -> None:
    assert judge(request) == plain.judge(request)


@settings(max_examples=10)
@given(st.lists(st.integers(0, 2**32), min_size=2, max_size=20), st.integers(2, 4), st.integers(4, 10))
def test_matches_in_one_batch(seeds: list[int], players: int, side: int) -> None:
    batch = [random_request(seed, width=side, height=7, players=players, limit=60) for seed in seeds]
    answers = [plain.judge(request)["states"] for request in batch]
    for number, state in enumerate(played(batch)):
        for b, states in enumerate(answers):
            if number < len(states):
                assert state_json(state, b) == {name: states[number][name] for name in state_json(state, b)}


def test_random_matches_cover_all_kinds_of_events() -> None:
    """Otherwise the comparisons above would prove little."""
    seen: Counter[str] = Counter()
    for seed in range(60):
        request = random_request(seed, width=9, height=7, players=2 + seed % 3, limit=60)
        states = plain.judge(request)["states"]
        for before, after in pairwise(states):
            seen[str(after["over"])] += 1
            seen.update(reason for reason in after["lost"] if reason)
            seen["filled"] += any(new > old + 1 for old, new in zip(before["scores"], after["scores"], strict=True))
            seen["returned"] += after["completedRounds"] <= before["completedRounds"]
    wanted = ["EndOfGameDetected", "inactivityDetected", "maxRoundsCountReached", "timeout", "noBackInTimeLeft"]
    for event in [*wanted, "filled", "returned", "InvalidInput y"]:
        assert seen[event] >= 2, event


@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_matches_of_the_contest(players: int) -> None:
    request = random_request(players, width=35, height=20, players=players, limit=250)
    assert judge(request) == plain.judge(request)
