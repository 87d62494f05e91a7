"""How Kakomimasu is drawn, in a real Chromium: the functions that read tiles and orders and place the agents."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from matches.models import Match
from tests.matches.makers import finish_match, make_match, make_version
from tests.matches.viewing import run_module

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MODULE = "games/kakomimasu/viewer.js"


@pytest.fixture
def match() -> Match:
    return finish_match(make_match(make_version("Alpha"), make_version("Beta")))


def test_tiles_are_read(watch: Callable[..., Page], match: Match) -> None:
    tiles = run_module(watch(match), MODULE, "['.', 'A', 'd'].map(m.readTile)")

    assert tiles == [{"kind": "neutral", "seat": None}, {"kind": "wall", "seat": 0}, {"kind": "area", "seat": 3}]


def test_orders_are_read_and_count_only_next_to_the_agent(watch: Callable[..., Page], match: Match) -> None:
    lines = "['MOVE 3 4 hello', 'REMOVE 9 9', 'NONE', '<b>', undefined]"
    orders = run_module(watch(match), MODULE, f"{lines}.map((line) => m.readOrder(line, [2, 4]))")

    assert orders[0] == {"kind": "MOVE", "target": [3, 4]}
    assert orders[1] == {"kind": "REMOVE", "target": None}
    assert orders[2:] == [{"kind": "NONE", "target": None}] * 3


def test_agents_glide_bounce_and_appear(watch: Callable[..., Page], match: Match) -> None:
    page = watch(match)
    place = "((from, to, target) => m.agentPlace(from, to, {target}, 0.5))"

    assert run_module(page, MODULE, f"{place}([1, 1], [2, 1], null)") == {"x": 1.5, "y": 1, "size": 1}
    assert run_module(page, MODULE, f"{place}([1, 1], [1, 1], [2, 1])") == {"x": 1.3, "y": 1, "size": 1}
    assert run_module(page, MODULE, f"{place}([-1, -1], [3, 4], null)") == {"x": 3, "y": 4, "size": 0.5}
    assert run_module(page, MODULE, f"{place}([-1, -1], [-1, -1], null)") is None
