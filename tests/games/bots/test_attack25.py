"""The house bots of Attack 25 play as processes without an invalid answer, and their kit knows the rules."""

from __future__ import annotations

import random
import sys
from io import StringIO
from typing import Any

import pytest

from core.game import JsonObject
from games.housebots import housebots_of
from tests.games.attack25 import plain
from tests.games.bots.kit import recorded, said, starter

pytestmark = pytest.mark.test_all

GAME = "attack25"
BOTS = {bot.description.name: bot for bot in housebots_of(GAME)}
KIT = starter(GAME)


def panels(commands: list[str], seed: int, options: JsonObject | None = None) -> list[int]:
    """Play a match, check that no answer was invalid, and return the number of panels of each seat."""
    outcome, records = recorded(GAME, commands, seed, options)
    assert outcome.faults == (None,) * len(commands)
    assert records[-2]["frame"]["faults"] == [0] * len(commands)
    assert sum(outcome.scores) == 25
    return [int(score) for score in outcome.scores]


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_invalid_answer_at_any_table(name: str, seats: int, commands: dict[str, str]) -> None:
    others = sorted(BOTS.keys() - {name})[: seats - 1]
    panels([commands[bot] for bot in (name, *others)], seed=seats)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_no_invalid_answer_where_nobody_bids(name: str, commands: dict[str, str]) -> None:
    panels([commands[name]] * 4, 1, {"mode": "order"})


@pytest.mark.parametrize("name", sorted(BOTS.keys() - {"random"}))
def test_every_bot_beats_random(name: str, commands: dict[str, str]) -> None:
    table = [name, "random", "random", "random"]
    won = [panels([commands[bot] for bot in table[k:] + table[:k]], seed=k)[-k] for k in range(4)]
    assert sum(won) > 25, "more than a fair share of four matches"


ROUND_22 = ["R 100 bid", "BID 22 0", "RG.GR", "GGGGG", "BBBWW", "BBWWW", "W....", "100 90", "R G", "9 R 3 2 25"]
"""The last line of a question to two seats after the Attack Chance: bids of 3 and 2; panel 25 was emptied."""


def test_echo_empties_no_panel_that_its_own_take_turns_over(commands: dict[str, str]) -> None:
    """Green leads. After red has taken 3, green's first panel, 2, is red's, and white leads."""
    board = ["RG.GR", "GGGGG", "BBBWW", "BBWWW", "W...."]
    question = ["R 100 bid", "BID 21 1", *board, "100 90 90 90", "R G W B", "9 R 0 2 2 2", "PICK 21 1 0 3"]
    assert said(commands["echo"], question)[-1] == "3 14"


def test_echo_takes_no_emptied_panel_for_a_price(commands: dict[str, str]) -> None:
    assert said(commands["echo"], ROUND_22) == ["4"]


def test_the_kit_takes_no_emptied_panel_for_a_bid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", StringIO("\n".join([*ROUND_22, ""])))
    bids = []

    def bid(match: Any) -> int:
        bids.append(match.bids)
        return 0

    KIT.play(bid, None, None)
    assert bids == [{"R": 3, "G": 2}]


@pytest.mark.parametrize("seed", range(20))
def test_the_kit_knows_the_rules(seed: int) -> None:
    """Random takes of random colours, with panels emptied now and then, are compared with the plain reference."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    board, expected = "#" + 25 * KIT.EMPTY, plain.Match([0, 1, 2, 3]).board
    while len(expected) < 25:
        colour = rng.randrange(4)
        choice = KIT.legal(board, KIT.COLOURS[colour])
        assert choice == plain.legal(expected, colour)[1]
        panel = rng.choice(choice)
        board = KIT.take(board, KIT.COLOURS[colour], panel)
        plain.take(expected, colour, panel)
        if rng.random() < 0.1:
            gone = rng.choice(KIT.owned(board))
            board = KIT.emptied(board, gone)
            del expected[gone]
        assert board[1:] == "".join(KIT.COLOURS[expected[p]] if p in expected else "." for p in KIT.PANELS)
