"""Measures how long a fit takes, for 10,000 bots and a million matches as a ladder pairs them."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from rating.fit import Fit, fit_orders
from rating.model import Prior, Q
from rating.orders import Ints, Results, canonical

T = TypeVar("T")

STRENGTH_SD = 250.0
NEAR_PLACES = 1 / 60
"""Standard deviation of the distance in places between a bot and a near opponent, as a share of all places."""
FAR_SHARE = 1 / 3
"""Share of the opponents that are drawn from all bots."""
WARM_SD = 20.0
"""Standard deviation in Elo points of the start ratings of a warm start from the final ones."""


def bench(*, bots: int, matches: int, players: int) -> Iterator[dict[str, float | str]]:
    """Time fits of one season, and yield a row for each.

    Yields:
        ``what``; ``players`` a match; ``seconds`` of wall time; ``memory_mib``, the most this process has used so far.

    Raises:
        ValueError: too few bots for a match, or no match.
    """
    if bots < players or matches < players:
        raise ValueError(f"A season of {players} players wants at least {players} bots and {players} matches.")
    rng = np.random.default_rng(1)
    season = _season(bots, matches, players, rng)
    prior = Prior()

    def full() -> Fit:
        return fit_orders(bots, canonical(season, bots=bots, seated=True), prior, anchors={})

    fitted, row = _timed("full", players, full)
    yield row
    start = fitted.rating + rng.normal(0.0, WARM_SD, bots)
    orders = canonical(season, bots=bots, seated=True)
    yield _timed("warm", players, lambda: fit_orders(bots, orders, prior, anchors={}, start=start))[1]


def _timed(what: str, players: int, run: Callable[[], T]) -> tuple[T, dict[str, float | str]]:
    begin = time.perf_counter()
    answer = run()
    seconds = time.perf_counter() - begin
    memory_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return answer, {"what": what, "players": players, "seconds": round(seconds, 3), "memory_mib": round(memory_mib)}


def _season(bots: int, matches: int, players: int, rng: np.random.Generator) -> Results:
    """Return results, mostly of near bots, each table played from all seats; a tenth of two-player matches are ties."""
    strength = np.sort(rng.normal(0.0, STRENGTH_SD, bots))
    tables = _tables(bots, matches // players, players, rng)
    tables = np.concatenate([np.roll(tables, seats, axis=1) for seats in range(players)])
    performance = Q * strength[tables] + rng.gumbel(size=tables.shape)
    ranks = 1 + (performance[:, :, None] < performance[:, None, :]).sum(axis=2)
    if players == 2:
        ranks[rng.random(len(ranks)) < 0.1] = 1
    shuffled = rng.permutation(len(ranks))
    return Results(rng.permutation(bots)[tables[shuffled]], ranks[shuffled])


def _tables(bots: int, tables: int, players: int, rng: np.random.Generator) -> Ints:
    """Return the bots of each table, (tables, players), all different; bots are numbered by strength."""
    seated = rng.integers(0, bots, (tables, 1))
    for _ in range(players - 1):
        near = np.abs(seated[:, 0] + np.rint(rng.normal(0.0, NEAR_PLACES * bots, tables)).astype(np.int64)) % bots
        other = np.where(rng.random(tables) < FAR_SHARE, rng.integers(0, bots, tables), near)
        while (taken := (seated == other[:, None]).any(axis=1)).any():
            other[taken] = rng.integers(0, bots, int(taken.sum()))
        seated = np.hstack([seated, other[:, None]])
    return seated
