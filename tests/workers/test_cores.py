"""Each playing process has a core of its own where there are enough."""

from __future__ import annotations

import pytest

from workers.cores import own_core


@pytest.mark.parametrize(
    ("index", "processes", "core"),
    [(0, 2, {3}), (1, 2, {5}), (1, None, {5}), (1, 3, set()), (2, 2, set())],
)
def test_a_core_for_each_process_or_none(index: int, processes: int | None, core: set[int]) -> None:
    assert own_core(index, processes, {5, 3}) == core
