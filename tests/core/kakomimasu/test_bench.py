"""What is measured runs, here on a few boards each."""

from __future__ import annotations

import functools

import pytest

from core.bench import Case
from core.kakomimasu.bench import CASES


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases_do_the_same_work_each_time(case: Case) -> None:
    assert isinstance(case.prepare, functools.partial)
    width, height, seats, agents, *_ = case.prepare.args
    work = case.prepare.func(width, height, seats, agents, *([9] if case.batch > 1 else []))
    first, second = work(), work()
    assert first is not None
    assert repr(first) == repr(second)
