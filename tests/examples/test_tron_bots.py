"""The house bots of the example Tron: what they decide, and how their starter module talks to the referee."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from deploy.settings import ROOT
from tests.games.bots.kit import starter_importable

BOTS = ROOT / "examples" / "tron" / "banzuke_tron" / "bots"


def loaded(path: Path, answers: str = "") -> ModuleType:
    """Return a module, whose program reads ``answers`` as its input and then the end of it."""
    spec = spec_from_file_location(f"loaded_{path.parent.name}", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks its module up
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdin", io.StringIO(answers))
            spec.loader.exec_module(module)
    finally:
        del sys.modules[spec.name]
    return module


@pytest.fixture
def starter() -> Iterator[ModuleType]:
    """The starter module, and that it can be imported by bots."""
    with starter_importable(BOTS / "starter"):
        yield loaded(BOTS / "starter" / "tron.py")


@pytest.fixture
def space(starter: ModuleType) -> ModuleType:
    """The bot ``space``, whose match has ended at once."""
    return loaded(BOTS / "space" / "main.py", "0 2 5 5\n")


GRID = ["....", "0..1", "...."]


def view(starter: ModuleType, rows: list[str], heads: list[tuple[int, int] | None], moves: list[str]) -> Any:
    return starter.View(0, len(rows[0]), len(rows), 1, heads, rows, moves)


def test_a_view_knows_its_own_head_and_which_cells_are_free(starter: ModuleType) -> None:
    seen = view(starter, GRID, [(0, 1), (3, 1)], ["UP"])
    assert seen.me == (0, 1)
    cells = [(0, 0), (0, 1), (3, 1), (-1, 0), (4, 0), (0, 3), (3, 2)]
    free = [seen.is_free(cell) for cell in cells]
    assert free == [True, False, False, False, False, False, True]


@pytest.mark.parametrize(("move", "cell"), [("UP", (2, 1)), ("RIGHT", (3, 2)), ("DOWN", (2, 3)), ("LEFT", (1, 2))])
def test_a_step_leads_to_the_next_cell(starter: ModuleType, move: str, cell: tuple[int, int]) -> None:
    assert starter.step((2, 2), move) == cell


def test_a_bot_is_asked_with_all_that_the_referee_tells(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    turns = ["1", "0 1", "3 1", *GRID, "2", "UP", "DOWN", "2", "0 0", "-1 -1", *GRID, "1", "RIGHT"]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(["0 2 4 3", *turns, ""])))
    seen = []

    def decide(now: object) -> str:
        seen.append(now)
        return "UP"

    starter.play(decide)
    assert capsys.readouterr().out == "UP\nUP\n"
    first, second = seen
    assert (first.turn, first.heads, first.moves) == (1, [(0, 1), (3, 1)], ["UP", "DOWN"])
    assert (second.turn, second.heads, second.moves) == (2, [(0, 0), None], ["RIGHT"])
    assert (second.width, second.height, second.rows) == (4, 3, GRID)


def test_the_same_match_is_played_the_same_way_again(
    starter: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Chance is drawn from a seed that is taken from the first question."""
    turn = ["1", "0 1", "3 1", *GRID, "3", "UP", "DOWN", "RIGHT"]
    later = [str(number) if line == "1" else line for number in range(2, 9) for line in turn]
    printed = []
    for seat in (0, 0, 1):
        text = "\n".join([f"{seat} 2 4 3", *turn, *later, ""])
        loaded(BOTS / "random" / "main.py", text)
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[0].split()
    assert set(printed[0].split()) <= {"UP", "DOWN", "RIGHT"}
    assert printed[0] != printed[2], "the seats do not play alike"


def test_a_cell_that_is_taken_is_worth_least(starter: ModuleType, space: ModuleType) -> None:
    seen = view(starter, GRID, [(0, 1), (3, 1)], ["UP", "DOWN"])
    taken, free = space.worth(seen, (3, 1)), space.worth(seen, (0, 0))
    assert taken == (-12, 0)
    assert free > taken


def test_a_cell_that_another_seat_may_enter_too_is_avoided(starter: ModuleType, space: ModuleType) -> None:
    rows = [".......", "....0.1", "......."]
    seen = view(starter, rows, [(4, 1), (6, 1)], ["UP", "RIGHT", "DOWN"])
    assert space.worth(seen, (5, 1)) == (-11, 2)
    assert space.decide(seen) in ("UP", "DOWN")


def test_a_bot_goes_where_it_has_more_space_of_its_own(starter: ModuleType, space: ModuleType) -> None:
    """Left of it there is a pocket, with one cell behind its first one, and right of it the whole board."""
    rows = ["..0....", "11.0...", ".......", "......."]
    seen = view(starter, rows, [(2, 0), None], ["LEFT", "RIGHT"])
    assert space.territory(seen, (1, 0), []) == 1
    assert space.decide(seen) == "RIGHT"


def test_of_equal_spaces_a_bot_takes_the_cell_beside_more_walls(starter: ModuleType, space: ModuleType) -> None:
    rows = [".....", ".....", "..0..", "....."]
    seen = view(starter, rows, [(2, 2), None], ["UP", "DOWN"])
    up, down = space.worth(seen, (2, 1)), space.worth(seen, (2, 3))
    assert up[0] == down[0]
    assert down[1] > up[1]
    assert space.decide(seen) == "DOWN"


def test_territory_counts_what_the_others_reach_no_later(starter: ModuleType, space: ModuleType) -> None:
    rows = ["0...1"]
    seen = view(starter, rows, [(0, 0), (4, 0)], ["RIGHT"])
    assert space.territory(seen, (1, 0), [(4, 0)]) == 0, "one cell each"
    assert space.territory(seen, (1, 0), []) == 2
