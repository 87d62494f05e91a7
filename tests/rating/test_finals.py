"""The choice of final matches: who lacks games gets them, by the rules of who may meet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest

from rating.finals import choose_finals
from rating.matchmaking import IN_FLIGHT_MAX, Candidate, Snapshot


def candidate(version: int, *, owner: int | None = None, artifact: str = "", rating: float = 1500.0) -> Candidate:
    return Candidate(version, owner or version, artifact or str(version), rating, 100.0, 0, 0.0)


def chosen(
    candidates: list[Candidate],
    lacking: Mapping[int, int],
    *,
    tables: int = 1_000,
    players: int = 2,
    in_flight: tuple[tuple[int, ...], ...] = (),
    seed: int = 1,
) -> list[tuple[int, ...]]:
    snapshot = Snapshot(candidates, in_flight, now=0.0)
    rng = np.random.default_rng(seed)
    return choose_finals(snapshot, lacking=lacking, tables=tables, players=players, rng=rng)


def test_who_lacks_most_games_comes_first_and_who_lacks_none_begins_nothing() -> None:
    field = [candidate(version) for version in range(1, 7)]
    found = chosen(field, {1: 2, 2: 20, 3: 0})
    assert found[0][0] == 2
    assert {table[0] for table in found} <= {1, 2}
    assert chosen(field, {}) == []


def test_two_who_lack_games_share_a_match_more_often_than_not() -> None:
    field = [candidate(version) for version in range(1, 21)]
    found = [chosen(field, {1: 4, 2: 4}, tables=1, seed=seed)[0] for seed in range(200)]
    met = Counter(table[1] for table in found)
    assert met[2] > 80, "one of nineteen opponents, by chance 10 of 200"


def test_matches_in_flight_count_as_games_and_nobody_has_more_than_the_most() -> None:
    field = [candidate(version) for version in range(1, 9)]
    assert chosen(field, {1: 2}, in_flight=((1, 2), (2, 1))) == []
    load = Counter(version for table in chosen(field, {1: 100}) for version in table * 2)
    assert max(load.values()) <= IN_FLIGHT_MAX


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_meets_an_own_bot_a_twin_or_whom_it_meets_already(players: int) -> None:
    field = [candidate(version, owner=1 + version // 2, artifact=str(version % 5)) for version in range(12)]
    for seed in range(20):
        found = chosen(field, dict.fromkeys(range(12), 8), players=players, in_flight=((0, 2),), seed=seed)
        assert found
        pairs = [frozenset(pair) for table in found for pair in combinations(table, 2)]
        assert len(set(pairs)) == len(pairs), "no pair twice in flight"
        assert frozenset((0, 2)) not in pairs
        for table in found:
            seated = [field[version] for version in table]
            assert len({one.owner for one in seated}) == len({one.artifact for one in seated}) == players


def test_who_can_meet_nobody_is_left_out_and_the_others_play() -> None:
    lonely = [candidate(version, owner=1) for version in (1, 2)]
    assert chosen(lonely, {1: 20, 2: 20}) == []
    field = [*lonely, candidate(3), candidate(4, artifact="3")]
    assert all(set(table) & {3, 4} for table in chosen(field, dict.fromkeys(range(1, 5), 20)))
    assert chosen(lonely, {1: 20}, players=3) == []


def test_equal_snapshots_and_generators_give_equal_choices() -> None:
    field = [candidate(version, rating=1000.0 + 50 * version) for version in range(1, 11)]
    lacking = dict.fromkeys(range(1, 11), 6)
    assert chosen(field, lacking, seed=7) == chosen(field, lacking, seed=7) != chosen(field, lacking, seed=8)
