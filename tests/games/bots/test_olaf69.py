"""The predictions of ``olaf69`` where others will go."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import pytest

from games.registry import FOLDER
from tests.games.bots.kit import starter_importable

GAME = "back_to_the_code"


@pytest.fixture(scope="module")
def olaf69() -> Iterator[dict[str, ModuleType]]:
    """The module ``foes`` of ``olaf69``, and the kit as it imports it."""
    with starter_importable(FOLDER / GAME / "bots" / "starter"), starter_importable(FOLDER / GAME / "bots" / "olaf69"):
        yield {name: import_module(name) for name in ("back_to_the_code", "grid", "foes")}


@pytest.mark.parametrize(
    ("seen", "ways"),
    [
        ([(17, 5)], [(16, 5), (15, 5)]),
        ([(18, 5)], [(19, 5), (20, 5)]),
        ([(17, 5), (17, 6)], [(17, 7), (17, 8)]),
        ([(17, 5), (17, 5)], []),
        ([(17, 5), (-1, -1)], []),
    ],
    ids=["nearer to the left", "nearer to the right", "straight on", "stands", "is out"],
)
def test_what_is_foreseen(
    olaf69: dict[str, ModuleType], seen: list[tuple[int, int]], ways: list[tuple[int, int]]
) -> None:
    kit, grid, foes = olaf69["back_to_the_code"], olaf69["grid"], olaf69["foes"]
    foe = foes.Foe(seen[0])
    for cell in seen[1:]:
        foe.see(cell)
    view = kit.View(30, [kit.Player((0, 19), False)], [kit.NEUTRAL * kit.WIDTH] * kit.HEIGHT, 0.0)
    claims = foes.claimed([foe], view, grid.owners(view)[0])
    assert claims[2] == sum(map(grid.bit, ways))
