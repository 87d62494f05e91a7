"""Words, viewer, guide and bots of every game are in order, as `banzuke game check` sees it."""

from __future__ import annotations

import pytest

from banzuke.testing.parts import problems
from games.registry import folder_of, game_named
from tests.own import OWN


@pytest.mark.parametrize("game", OWN)
def test_the_files_of_a_game_are_in_order(game: str) -> None:
    folder = folder_of(game)
    assert folder
    assert list(problems(game_named(game), folder)) == []
