"""The benchmark plays whole matches, by the fast rules and by the plain reference."""

from __future__ import annotations

import numpy as np

from games.attack25 import plain
from games.attack25.bench import CASES, PLAIN_STEP, _playing, _playing_plainly
from games.attack25.panels import PANELS, unpack


def test_the_core_fills_all_boards() -> None:
    play = _playing(9)
    first, second = (unpack(play(), 9).sum(axis=1) for _ in range(2))
    assert (first.sum(axis=0) == PANELS).all()
    assert not np.array_equal(first, second)


def test_the_reference_fills_a_board() -> None:
    assert sorted(_playing_plainly()()) == list(plain.PANELS)


def test_the_plain_step_goes_from_match_to_match() -> None:
    step = PLAIN_STEP()
    takes = [step().takes for _ in range(104)]
    assert takes == [turn // 2 for turn in range(1, 53)] * 2


def test_the_case_counts_takes() -> None:
    assert (CASES[0].key, CASES[0].batch) == ("attack25", 4_096 * PANELS)
