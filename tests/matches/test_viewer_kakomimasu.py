"""How Kakomimasu is drawn, in a real Chromium: its steps, and how tiles and orders are read and agents placed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from matches.models import Match
from tests.matches.viewing import LAST, expect_board_of_theme, expect_step_like_jump, run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MODULE = "games/kakomimasu/viewer.js"


def test_tiles_and_orders_are_read_and_agents_glide_bounce_and_appear(
    watch: Callable[..., Page], finished: Match
) -> None:
    page = watch(finished, "#t=8")
    expect_step_like_jump(page, 8, LAST)
    expect_board_of_theme(page)

    tiles = run_module(page, MODULE, "['.', 'A', 'd'].map(m.readTile)")
    assert tiles == [{"kind": "neutral", "seat": None}, {"kind": "wall", "seat": 0}, {"kind": "area", "seat": 3}]

    lines = "['MOVE 3 4 hello', 'REMOVE 9 9', 'NONE', '<b>', undefined]"
    orders = run_module(page, MODULE, f"{lines}.map((line) => m.readOrder(line, [2, 4]))")
    assert orders[0] == {"kind": "MOVE", "target": [3, 4]}
    assert orders[1] == {"kind": "REMOVE", "target": None}, "it is not next to the agent"
    assert orders[2:] == [{"kind": "NONE", "target": None}] * 3

    place = "((from, to, target) => m.agentPlace(from, to, {target}, 0.5))"
    assert run_module(page, MODULE, f"{place}([1, 1], [2, 1], null)") == {"x": 1.5, "y": 1, "size": 1}
    assert run_module(page, MODULE, f"{place}([1, 1], [1, 1], [2, 1])") == {"x": 1.3, "y": 1, "size": 1}
    assert run_module(page, MODULE, f"{place}([-1, -1], [3, 4], null)") == {"x": 3, "y": 4, "size": 0.5}
    assert run_module(page, MODULE, f"{place}([-1, -1], [-1, -1], null)") is None
