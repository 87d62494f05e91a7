"""The derivatives of the model, compared with differences; and the finishing orders that stand for results."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest

from rating import orders as orders_module
from rating.model import LINEAGE_SD, PRIOR_MEAN, PRIOR_SD, Posterior, Prior, Q, finishes
from rating.orders import Floats, Results, canonical, orders_of, ranking_problem, results_collect

Match = tuple[Sequence[int], Sequence[int]]
BOTS = 5


def season(seed: int, matches: int = 40) -> list[Match]:
    """Return matches of two to four of five bots, some with ties."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(matches):
        players = rng.permutation(BOTS)[: rng.integers(2, 5)].tolist()
        points = rng.integers(0, 3, len(players))
        found.append((players, [1 + int((points > own).sum()) for own in points]))
    return found


def posterior(seed: int, prior: Prior) -> Posterior:
    return Posterior(BOTS, orders_of(results_collect(season(seed)), bots=BOTS, seated=prior.seat_sd is not None), prior)


PRIORS = [
    Prior(),
    Prior(seat_sd=None),
    Prior(
        mean=np.linspace(1_400, 1_600, BOTS), sd=np.array([100.0, np.inf, 350.0, np.inf, 80.0]), lineage=[(1, 0, 80.0)]
    ),
]


@pytest.mark.parametrize("prior", PRIORS, ids=["seats", "no seats", "lineage"])
@pytest.mark.parametrize("seed", [1, 2])
def test_slope_and_curvature_are_those_of_the_likelihood(prior: Prior, seed: int) -> None:
    model = posterior(seed, prior)
    at = Q * np.random.default_rng(seed).normal(1_500, 200, model.size)
    _, gradient, curvature = model.at(at)
    step = 1e-5 * np.eye(model.size)
    slopes = [(model.at(at + one)[0] - model.at(at - one)[0]) / 2e-5 for one in step]
    assert gradient == pytest.approx(slopes, abs=1e-5)
    bends = [(model.at(at - one)[1] - model.at(at + one)[1]) / 2e-5 for one in step]
    assert curvature.dense() == pytest.approx(np.array(bends), abs=1e-5)


@pytest.mark.parametrize("prior", PRIORS, ids=["seats", "no seats", "lineage"])
def test_the_sparse_matrix_multiplies_as_the_whole_one(prior: Prior) -> None:
    model = posterior(3, prior)
    curvature = model.at(Q * np.full(model.size, 1_500.0))[2]
    vector = np.random.default_rng(0).normal(size=model.size)
    before = vector.copy()
    assert curvature.times(vector) == pytest.approx(curvature.dense() @ vector)
    assert np.array_equal(vector, before)
    assert np.array_equal(curvature.dense(), curvature.dense().T)
    assert np.linalg.eigvalsh(curvature.dense()).min() > 0


def test_the_chances_of_all_orders_sum_to_one() -> None:
    strengths = Q * np.array([1_400.0, 1_500.0, 1_650.0, 1_520.0])
    for players in (2, 3, 4):
        chances = []
        for order in permutations(range(players)):
            tables = orders_of(results_collect([(list(order), list(range(1, players + 1)))]), bots=4, seated=False)
            chances += [np.exp(term.at(strengths).value) for term in finishes(tables, {players: 4})]
        assert sum(chances) == pytest.approx(1.0)


def test_a_version_with_a_parent_has_no_prior_of_its_own() -> None:
    prior = Prior.of_parents(3, {2: 0})
    sd: Floats = np.asarray(prior.sd)
    assert sd.tolist() == [PRIOR_SD, PRIOR_SD, np.inf]
    assert (prior.mean, prior.lineage) == (PRIOR_MEAN, [(2, 0, LINEAGE_SD)])


# --- Orders ---------------------------------------------------------------------------------------------------------


def listed(results: Results, *, seated: bool) -> dict[tuple[tuple[int, ...], tuple[int, ...]], float]:
    """Return the weight of each order, by the seats of its places and its bots."""
    return {
        (table.seats, tuple(bots)): float(weight)
        for table in canonical(results, bots=9, seated=seated)
        for bots, weight in zip(table.players.T.tolist(), table.weights, strict=True)
    }


def test_a_tie_is_the_mean_of_all_orders_that_fit() -> None:
    (table,) = results_collect([([7, 3, 5], [1, 1, 3])])
    assert listed(table, seated=False) == {((), (7, 3, 5)): 0.5, ((), (3, 7, 5)): 0.5}
    assert listed(table, seated=True) == {((0, 1, 2), (7, 3, 5)): 0.5, ((1, 0, 2), (3, 7, 5)): 0.5}
    (whole,) = results_collect([([1, 2, 3, 4], [1, 1, 1, 1])])
    assert set(listed(whole, seated=False).values()) == {1 / 24}


def test_equal_orders_are_counted_once_with_their_weight() -> None:
    (table,) = results_collect([([1, 2], [1, 2]), ([2, 1], [2, 1]), ([1, 2], [1, 1])])
    assert listed(table, seated=False) == {((), (1, 2)): 2.5, ((), (2, 1)): 0.5}
    assert len(listed(table, seated=True)) == 3


def test_matches_are_sorted_into_tables_by_the_number_of_players() -> None:
    tables = results_collect([([1, 2, 3], [1, 2, 3]), ([4, 5], [2, 1]), ([6, 7], [1, 1])])
    assert [table.players.tolist() for table in tables] == [[[4, 5], [6, 7]], [[1, 2, 3]]]
    assert results_collect([]) == []
    assert orders_of([], bots=3, seated=True) == []


def test_blocks_hold_all_orders_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders_module, "BLOCK", 3)
    (table,) = results_collect((list(pair), [1, 2]) for pair in permutations(range(4), 2))
    (whole,) = canonical(table, bots=4, seated=False)
    blocks = list(whole.blocks())
    assert [block.players.shape[1] for block in blocks] == [3] * 4
    assert np.array_equal(np.concatenate([block.players for block in blocks], axis=1), whole.players)


@pytest.mark.parametrize(
    ("ranks", "players", "problem"),
    [
        ([1, 2], 2, ""),
        ([1, 1, 3], 3, ""),
        ([1, 2], 3, "must be 3, one a player"),
        ([2, 2], 2, "must be whole numbers from 1 to 2, the best of them 1"),
        ([1, 3], 2, "must be whole numbers from 1 to 2, the best of them 1"),
        ([1, 0], 2, "must be whole numbers from 1 to 2, the best of them 1"),
    ],
)
def test_wrong_ranks_are_explained(ranks: list[int], players: int, problem: str) -> None:
    assert ranking_problem(ranks, players) == problem
