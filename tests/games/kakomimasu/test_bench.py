"""The benchmark cases run, here on a few boards, and their plain references have the same results."""

from __future__ import annotations

import functools

import pytest

from core.enclosure import members
from games.bench import Case
from games.kakomimasu.bench import CASES, PLAIN_STEP, _enclosing, _plain_turn, _request, _Size, _turning

SIZE = _Size(10, 12, 3, 5)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_cases_do_the_same_work_each_time(case: Case) -> None:
    assert isinstance(case.prepare, functools.partial)
    size, _ = case.prepare.args
    assert case.plain
    for work in (case.prepare.func(size, 9), case.plain()):
        assert repr(work()) == repr(work())


def test_a_turn_of_the_reference_is_that_of_the_core() -> None:
    after = _turning(SIZE, 1)()
    assert _plain_turn(_request(SIZE.position(1))) == after.scores[..., 0].tolist()


def test_the_measured_positions_have_rings() -> None:
    for case in CASES[:3]:
        rooms = _enclosing(case.prepare.args[0], 64)()
        assert len(set(members(rooms[0])[1].tolist())) > 3


def test_the_plain_step_plays_a_turn() -> None:
    points = PLAIN_STEP()()
    assert points == PLAIN_STEP()()
