"""The house bots of Wondev Woman play as processes without a fault, and the starter kit knows the rules."""

from __future__ import annotations

import math
import runpy
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from core.game import JsonObject
from games.housebots import housebots_of
from games.registry import FOLDER, game_named
from games.wondev_woman.protocol import CPU_MS
from tests.games.bots.kit import each_pair, meet, starter_importable

pytestmark = pytest.mark.test_all

GAME = "wondev_woman"


BOTS = {bot.description.name: bot for bot in housebots_of(GAME)}


STARTER = FOLDER / GAME / "bots" / "starter"


@pytest.fixture(scope="module")
def kit() -> dict[str, ModuleType]:
    """The modules of the starter kit."""
    with starter_importable(STARTER):
        return {path.stem: __import__(path.stem) for path in sorted(STARTER.glob("*.py"))}


def a_view(kit: dict[str, ModuleType], rules: Any, state: Any, seat: int) -> Any:
    """Return the starter kit's view of a question to a seat."""
    size, units = (int(line) for line in rules.introduce(state, 0, seat))
    lines = iter(rules.observe(state, 0, seat))
    rows = [next(lines) for _ in range(size)]
    cells = [tuple(map(int, next(lines).split())) for _ in range(2 * units)]
    foes = [None if cell == (-1, -1) else cell for cell in cells[units:]]
    actions = [next(lines) for _ in range(int(next(lines)))]
    return kit["wondev_woman"].View(size, rows, cells[:units], foes, actions, 0.0)


def random_states(seed: int, options: JsonObject | None = None) -> Iterator[tuple[Any, Any, int, list[str]]]:
    """Play a random match; yield rules, state, seat to move and its answer in each turn."""
    rules, rng = game_named(GAME), np.random.default_rng(seed)
    state = rules.reset([seed], options=options)
    while not rules.over(state)[0]:
        seat = int(rules.to_move(state)[0].argmax())
        answer = rules.random_answer(state, 0, seat, rng)
        yield rules, state, seat, answer
        state = answered(rules, state, seat, answer)


def answered(rules: Any, state: Any, seat: int, answer: list[str]) -> Any:
    """Return the state after an answer."""
    actions = rules.idle(state)
    actions[0, seat] = rules.parse(state, 0, seat, answer)
    return rules.step(state, actions)


@pytest.mark.parametrize("pair", each_pair(BOTS), ids=" against ".join)
def test_no_fault_on_boards_of_the_ladder(pair: tuple[str, str], commands: dict[str, str]) -> None:
    assert meet(GAME, [commands[name] for name in pair], seed=1).faults == (None, None)


@pytest.mark.parametrize("league", [0, 1, 2])
@pytest.mark.parametrize("name", sorted(BOTS))
def test_no_fault_in_lower_leagues(name: str, league: int, commands: dict[str, str]) -> None:
    """These leagues have no fog; the lowest ones have one unit each and no pushes."""
    assert meet(GAME, [commands[name]] * 2, 1, {"league": league}).faults == (None, None)


@pytest.mark.parametrize("name", sorted(BOTS.keys() - {"random"}))
def test_every_bot_beats_random(name: str, commands: dict[str, str]) -> None:
    assert meet(GAME, [commands[name], commands["random"]], seed=4).ranks == (1, 2)


def test_the_kit_stops_at_four_fifths_of_the_limit(kit: dict[str, ModuleType]) -> None:
    """The page on faults says so; otherwise the clock, not the count, would end searches, and matches would differ."""
    seconds = kit["wondev_woman"].SECONDS
    assert 1_000 * seconds == pytest.approx(0.8 * CPU_MS)


@pytest.mark.parametrize(("seed", "league"), [*((seed, 3) for seed in range(6)), (0, 0), (0, 1), (0, 2)])
def test_the_kit_knows_all_legal_actions(kit: dict[str, ModuleType], seed: int, league: int) -> None:
    """Hidden units do not matter for the list, as in the referee's one."""
    module = kit["position"]
    for rules, state, seat, _ in random_states(seed, {"league": league}):
        view = a_view(kit, rules, state, seat)
        position = module.position(view)
        lines = [module.line(position.units[action.unit], action) for action in position.actions(0)]
        assert sorted(lines) == sorted(view.actions)


@pytest.mark.parametrize("seed", range(6))
def test_the_kit_plays_actions_as_the_referee_does(kit: dict[str, ModuleType], seed: int) -> None:
    module, expected = kit["position"], None
    for rules, state, seat, (answer,) in random_states(seed, {"league": 2}):
        position = module.position(a_view(kit, rules, state, seat))
        if expected:
            assert (position.low, position.units) == expected
        action = next((a for a in position.actions(0) if module.line(position.units[a.unit], a) == answer), None)
        if action is None:  # it has given up
            return
        scores = rules.scores(answered(rules, state, seat, [answer]))
        assert action.gain == scores[0, seat] - rules.scores(state)[0, seat]
        after = position.after(0, action)
        expected = after.low, after.units[2:] + after.units[:2]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("watcher", [0, 1])
def test_the_true_places_are_among_the_possible_ones(kit: dict[str, ModuleType], seed: int, watcher: int) -> None:
    module, fog, fewer = kit["position"], kit["fog"].Fog(), 0
    for rules, state, seat, (answer,) in random_states(seed):
        if seat != watcher:
            continue
        view = a_view(kit, rules, state, seat)
        pairs = fog.look(view)
        places = rules.frame(state, 0)["units"][1 - seat]
        assert tuple(module.bit(place) for place in places) in pairs
        fewer += len(pairs) < len(kit["fog"].Fog().look(view))
        now = module.position(view)
        fog.acted(now, next((a for a in now.actions(0) if module.line(now.units[a.unit], a) == answer), None))
    assert fewer, "what has been seen before rules places out"


def test_cells_belong_to_who_comes_first_and_to_the_mover_in_a_tie(kit: dict[str, ModuleType]) -> None:
    """A row of seven cells has a unit at each end; in some rows a cell that is too high or missing blocks one end."""
    module, view = kit["position"], kit["wondev_woman"].View
    for row, mover, expected in (
        ("0000000", 0, (3, 2)),
        ("0000000", 1, (2, 3)),
        ("0200000", 0, (0, 4)),
        ("0.00000", 1, (0, 4)),
    ):
        rows = [row, *["......."] * 6]
        position = module.position(view(7, rows, [(0, 0), None], [(6, 0), None], [], 0.0))
        mine, his = kit["territory"].territory(position, mover)
        assert (mine.bit_count(), his.bit_count()) == expected


SEARCHES = ("one_ply", "two_ply", "bandit", "alpha_beta")


def test_the_four_searches_are_short_and_differ_in_nothing_else() -> None:
    for name in SEARCHES:
        source = (FOLDER / GAME / "bots" / name / "main.py").read_text()
        assert len(source.splitlines()) < 60
        assert "from search import" in source
        assert "worth(" not in source, "the evaluation is that of the kit"


@pytest.mark.parametrize("seed", range(2))
def test_two_ply_takes_the_action_that_the_best_reply_harms_least(
    kit: dict[str, ModuleType], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best action is computed here over all actions and all replies, without cuts."""
    searches: list[Any] = []
    monkeypatch.setattr(kit["search"], "play_by", searches.append)
    monkeypatch.setitem(sys.modules, "search", kit["search"])
    monkeypatch.setitem(sys.modules, "position", kit["position"])
    monkeypatch.setitem(sys.modules, "wondev_woman", kit["wondev_woman"])
    runpy.run_path(str(FOLDER / GAME / "bots" / "two_ply" / "main.py"))
    module, search = kit["position"], kit["search"]

    def left(view: Any, child: Any) -> int:
        replies = [reply.value for reply in search.judged(view, child.after, 1)]
        worst = min(search.OUT, -max(replies, default=-search.OUT))  # nothing counts more than that the enemy is out
        return search.POINT * child.action.gain + worst

    for rules, state, seat, _ in islice(random_states(seed, {"league": 2}), seed, None, 8):
        view = replace(a_view(kit, rules, state, seat), deadline=math.inf)
        now = module.position(view)
        values = {child.action: left(view, child) for child in search.judged(view, now, 0)}
        view.nodes = -1_000_000  # so that no count ends it
        best = searches[0](view, now)
        assert (values[best] if best else None) == max(values.values(), default=None)
