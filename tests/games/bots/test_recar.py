"""How ``recar`` values rectangles and L-shaped paths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

from games.registry import FOLDER
from tests.games.bots.kit import starter_importable

GAME = "back_to_the_code"


@pytest.fixture(scope="module")
def recar() -> Iterator[dict[str, ModuleType]]:
    """The modules of ``recar``, and the kit as they import it."""
    with starter_importable(FOLDER / GAME / "bots" / "starter"), starter_importable(FOLDER / GAME / "bots" / "recar"):
        yield {name: import_module(name) for name in ("back_to_the_code", "rectangles", "corners", "foresight")}


def a_view(kit: ModuleType, here: tuple[int, int], cells: dict[tuple[int, int], str]) -> Any:
    """Return a view for two players with some cells owned; the opponent is far away."""
    rows = ["".join(cells.get((x, y), kit.NEUTRAL) for x in range(kit.WIDTH)) for y in range(kit.HEIGHT)]
    return kit.View(30, [kit.Player(here, False), kit.Player((34, 19), False)], rows, 0.0)


def test_the_way_round_begins_where_the_own_wall_ends(recar: dict[str, ModuleType]) -> None:
    """Two sides are owned already; the shortest way along the others begins at their nearer end."""
    own = {(x, 5): "0" for x in range(5, 11)} | {(5, y): "0" for y in range(5, 11)}
    view = a_view(recar["back_to_the_code"], (10, 5), own)
    rectangle = recar["rectangles"].Rectangle(5, 5, 10, 10)
    steps, cells = recar["rectangles"].Survey(view, 0).way(rectangle)
    assert cells == [(10, 6), (10, 7), (10, 8), (10, 9), (10, 10), (9, 10), (8, 10), (7, 10), (6, 10)]
    assert steps == 2 * 1 + len(cells)


def test_a_rectangle_scores_by_recars_rules(recar: dict[str, ModuleType]) -> None:
    """Cells gained divided by steps plus number of players; 0 if an opponent has a cell in it."""
    module = recar["rectangles"]
    rectangle = module.Rectangle(2, 2, 6, 6)
    free = a_view(recar["back_to_the_code"], (2, 2), {})
    assert module.Survey(free, 0).plan(rectangle).score == 25 / (0 + 16 + 2)
    on_the_middle = module.Rectangle(13, 2, 17, 6)
    view = a_view(recar["back_to_the_code"], (13, 2), {})
    assert module.Survey(view, 0).plan(on_the_middle).score == 2 * 25 / (0 + 16 + 2)
    taken = a_view(recar["back_to_the_code"], (2, 2), {(4, 4): "1"})
    assert module.Survey(taken, 0).plan(rectangle).score == 0


def test_the_best_rectangle_is_free_and_the_one_in_sight_is_kept(recar: dict[str, ModuleType]) -> None:
    module = recar["rectangles"]
    view = a_view(recar["back_to_the_code"], (3, 3), {(x, 9): "1" for x in range(35)})
    survey = module.Survey(view, 0)
    best = survey.best()
    assert all(view.owner(cell) != "1" for cell in best.rectangle.cells())
    others = [survey.plan(module.Rectangle(*corners)) for corners in module.ALL.T[::97].tolist()]
    assert best.score >= max(plan.score for plan in others)
    narrower = best.rectangle._replace(bottom=best.rectangle.bottom - 1)
    assert best.score / module.STABILITY < survey.plan(narrower).score < best.score
    assert survey.best(narrower).rectangle == narrower
    assert survey.best(module.Rectangle(0, 0, 4, 4)).rectangle == best.rectangle


def test_an_l_shaped_path_closes_what_is_no_rectangle(recar: dict[str, ModuleType]) -> None:
    """Owned cells form a wall with a step; from its end a path with one turn leads back to it."""
    wall = [*((x, 4) for x in range(4, 9)), (4, 5), (4, 6), (5, 6), (5, 7), (5, 8)]
    theirs = {(x, 9): "1" for x in range(35)}
    view = a_view(recar["back_to_the_code"], (8, 4), dict.fromkeys(wall, "0") | theirs)
    plan = recar["corners"].best_corner(view, 300, set())
    assert plan.cells == [(8, 5), (8, 6), (8, 7), (8, 8), (7, 8), (6, 8)]
    assert plan.score == (6 + 7) / (6 + 2)


def test_two_and_more_are_foreseen_to_go_straight_on(recar: dict[str, ModuleType]) -> None:
    """The way of a single opponent is not predicted: against it Recar's bot blocks instead."""
    for foes, taken, ahead in ((1, 30, 0), (2, 30, 4), (2, 24, 2)):
        expected = {(22 + step, 5) for step in range(ahead)}
        view, foresight = a_view(recar["back_to_the_code"], (5, 5), {(taken, 5): "1"}), recar["foresight"].Foresight()
        for number, foe in ((29, (20, 5)), (30, (21, 5))):
            future = foresight.look(seen(recar, view, number, [foe, (34, 19)][:foes]))
        assert future == expected


def seen(recar: dict[str, ModuleType], view: Any, number: int, foes: list[tuple[int, int]]) -> Any:
    """Return a view with another round and other cells of opponents."""
    players = [recar["back_to_the_code"].Player(foe, False) for foe in foes]
    return replace(view, round=number, players=[view.players[0], *players])
