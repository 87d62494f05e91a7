"""The house bots of Back to the Code play as processes without a fault."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import pytest

from games.housebots import housebots_of
from games.registry import FOLDER
from tests.games.bots.kit import each_pair, meet, recorded, said, starter_importable

pytestmark = pytest.mark.test_all

GAME = "back_to_the_code"


BOTS = {bot.description.name: bot for bot in housebots_of(GAME)}


STARTER = FOLDER / GAME / "bots" / "starter"


OTHER = """
input()
for line in ["0 0"] * 7 + ["{last}"] + ["34 19"] * 20:
    question = [input() for _ in range(23)]
    print(line, flush=True)
"""
"""A bot that goes to one corner, answers a special line, and goes to the opposite corner."""


@pytest.mark.parametrize("pair", each_pair(BOTS), ids=" against ".join)
def test_no_fault_in_the_first_rounds(pair: tuple[str, str], commands: dict[str, str]) -> None:
    outcome = meet(GAME, [commands[name] for name in pair], 1, {"rounds": 15})
    assert outcome.faults == (None, None)


@pytest.mark.parametrize("name", sorted(BOTS.keys() - {"random"}))
def test_every_bot_beats_random(name: str, commands: dict[str, str]) -> None:
    outcome = meet(GAME, [commands[name], commands["random"]], 4, {"rounds": 60})
    assert (outcome.faults, outcome.ranks) == ((None, None), (1, 2))


@pytest.mark.parametrize("players", [3, 4])
def test_bots_play_with_more_players(players: int, commands: dict[str, str]) -> None:
    table = [commands[name] for name in sorted(BOTS)[-players:]]
    assert meet(GAME, table, 1, {"rounds": 15}).faults == (None,) * players


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("last", ["BACK 5", "nonsense"], ids=["a return", "one who drops out"])
def test_a_bot_lives_through(last: str, name: str, commands: dict[str, str], tmp_path: Path) -> None:
    other = tmp_path / "main.py"
    other.write_text(OTHER.format(last=last))
    outcome = meet(GAME, [commands[name], f"{sys.executable} {other}"], 1, {"rounds": 12})
    assert outcome.faults[0] is None
    assert outcome.turns > 12 or outcome.faults[1]


def test_the_kit_fills_as_the_referee_does(commands: dict[str, str]) -> None:
    """In each round of a match, the kit predicts exactly the cells that a step encloses."""
    with starter_importable(STARTER):
        import back_to_the_code
        import grid
    _, records = recorded(GAME, [commands["greedy"], commands["random"]], 3)
    frames = [record["frame"] for record in records[:-1]]
    filled = 0
    for before, after in pairwise(frames):
        x, y, *_ = after["seats"][0]
        if before["tiles"][y][x] != "." or after["tiles"][y][x] != "0":
            continue
        rows = [list(row) for row in before["tiles"]]
        for seat, (u, v, *_) in enumerate(after["seats"]):
            rows[v][u] = str(seat) if rows[v][u] == "." else rows[v][u]
        neutral, own = grid.owners(back_to_the_code.View(1, [], ["".join(row) for row in rows], 0.0))
        foreseen = grid.filled(grid.bit((x, y)), neutral, own).bit_count()
        assert after["scores"][0] == before["scores"][0] + 1 + foreseen
        filled += foreseen
    assert filled > 20


def test_it_goes_to_a_free_cell_even_if_others_will_be_there_first(commands: dict[str, str]) -> None:
    """The only free cell is beside the opponent, so that no path gains anything; the original bot goes there, too."""
    rows = [["1"] * 35 for _ in range(20)]
    rows[3][20] = "."
    question = ["1", "2", "4 3 1", "19 3 1", *map("".join, rows)]
    assert said(commands["olaf69"], question) == ["20 3"]
