"""The benchmark cases run, here on a few boards."""

from __future__ import annotations

import functools

import pytest

from games.back_to_the_code.bench import CASES, PLAIN_STEP
from games.back_to_the_code.state import State
from games.bench import Case, Prepare


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases_play_rounds(case: Case) -> None:
    assert isinstance(case.prepare, functools.partial)
    seats, *_ = case.prepare.args
    work = case.prepare.func(seats, *([5] if case.batch > 1 else []))
    first, second = work(), work()
    assert repr(first) != repr(second)
    if isinstance(first, State):
        assert first.spots.shape == (seats, 5)
        assert not first.over.all()


def test_the_plain_case_begins_again_after_each_match() -> None:
    references: list[Prepare] = [PLAIN_STEP, *(case.plain for case in CASES if case.plain)]
    for prepare in references:
        work = prepare()
        for _ in range(500):
            work()
