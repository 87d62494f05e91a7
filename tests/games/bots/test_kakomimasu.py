"""The house bots of Kakomimasu play as processes on all kinds of boards without a fault."""

from __future__ import annotations

import json
import shlex
import sys
from itertools import permutations
from pathlib import Path

import pytest

from games.housebots import housebots_of
from games.registry import FOLDER
from tests.games.bots.kit import each_pair, in_python, meet, said

pytestmark = pytest.mark.test_all

GAME = "kakomimasu"


BOTS = {bot.description.name: bot for bot in housebots_of(GAME)}


def a_board(width: int, height: int, agents: int, points: int = 1) -> str:
    """Return a board as a value of the option ``board``."""
    cells = [points * (1 + i % 7) for i in range(width * height)]
    return json.dumps({"width": width, "height": height, "points": cells, "nAgent": agents, "totalTurn": 12})


@pytest.mark.parametrize(("seed", "pair"), list(enumerate(each_pair(BOTS))))
def test_no_fault_on_boards_of_the_ladder(seed: int, pair: tuple[str, str], commands: dict[str, str]) -> None:
    assert meet(GAME, [commands[name] for name in pair], seed).faults == (None, None)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_bot_scores_against_itself(name: str, commands: dict[str, str]) -> None:
    """Two equal bots that want the same cells block each other; they must not do so for ever."""
    outcome = meet(GAME, [commands[name]] * 2, seed=5)
    assert outcome.faults == (None, None)
    assert max(map(abs, outcome.scores)) > 0


def test_scout_gains_nothing_where_it_has_the_area_already(commands: dict[str, str]) -> None:
    """Its area on the left counts 5, also as a wall, so a step there gains nothing; the cell on the right gains 3."""
    turn = ["1", "0 5", "0 0", "aA.", "1 0", "-1 -1", "0"]
    assert said(commands["scout"], ["0 2 3 1 1 10", "5 0 3", *turn]) == ["MOVE 2 0"]


@pytest.mark.parametrize(
    "board",
    [a_board(1, 1, 2), a_board(1, 9, 3), a_board(9, 1, 3), a_board(2, 2, 14), a_board(3, 3, 9), a_board(12, 10, 4, -2)],
    ids=["one cell", "a column", "a row", "more agents than cells", "crowded", "all points negative"],
)
@pytest.mark.parametrize("name", sorted(BOTS))
def test_no_fault_on_odd_boards(name: str, board: str, commands: dict[str, str]) -> None:
    outcome = meet(GAME, [commands[bot] for bot in (name, "breaker")], 1, {"board": json.loads(board)})
    assert outcome.faults == (None, None)


def test_four_play_together(commands: dict[str, str]) -> None:
    outcome = meet(GAME, [commands[name] for name in in_python(BOTS)[:4]], seed=2)
    assert outcome.faults == (None,) * 4


def test_ring_encloses_a_board_that_nobody_disputes(commands: dict[str, str], tmp_path: Path) -> None:
    idle = tmp_path / "main.py"
    idle.write_text(
        (FOLDER / GAME / "bots" / "starter" / "kakomimasu.py").read_text() + '\nplay(lambda b: ["NONE"] * b.agents)'
    )
    outcome = meet(GAME, [commands["ring"], shlex.join([sys.executable, str(idle)])], 1, {"board": "A-1"})
    assert outcome.faults == (None, None)
    assert outcome.scores == (512, 0), "every cell of the board is a wall or enclosed"


def test_breaker_beats_random(commands: dict[str, str]) -> None:
    for seats in permutations(["breaker", "random"]):
        outcome = meet(GAME, [commands[name] for name in seats], seed=4)
        assert outcome.ranks[seats.index("breaker")] == 1


@pytest.mark.parametrize("name", in_python(BOTS))
def test_a_bot_is_short(name: str) -> None:
    """A house bot is what newcomers copy: a page long at most."""
    assert len(BOTS[name].files["main.py"].splitlines()) < 100
