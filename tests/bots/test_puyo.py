"""The house bots of Puyo Puyo: real processes, the real referee, not one fault; their kit knows the rules."""

from __future__ import annotations

import random
import shlex
from itertools import permutations, product
from pathlib import Path

import pytest

from core.puyo import plain
from ladder.housebots import housebots_read
from tests.bots.kit import example_written, in_python, last_words_alone, meet, starter

GAME = "puyo"
BOTS = {bot.description.name: bot for bot in housebots_read() if bot.description.game == GAME}
KIT = starter(GAME)


@pytest.mark.parametrize("pair", list(permutations(sorted(BOTS), 2)), ids=" against ".join)
def test_no_fault_against_each_other(pair: tuple[str, str], commands: dict[str, str]) -> None:
    outcome = meet(GAME, [commands[name] for name in pair], seed=3)
    assert outcome.faults == (None, None)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_no_fault_against_itself(name: str, commands: dict[str, str]) -> None:
    assert meet(GAME, [commands[name]] * 2, seed=1).faults == (None, None)


@pytest.mark.parametrize("name", sorted(BOTS.keys() - {"random"}))
def test_every_bot_beats_random(name: str, commands: dict[str, str]) -> None:
    for seats in permutations([name, "random"]):
        outcome = meet(GAME, [commands[bot] for bot in seats], seed=4)
        assert outcome.ranks[seats.index(name)] == 1


def rows_of(columns: plain.Field) -> list[str]:
    """Return the rows of a field as they are sent."""
    grid = [[str(column[y]) if y < len(column) else "." for column in columns] for y in range(KIT.ROWS)]
    return ["".join(row) for row in reversed(grid)]


@pytest.mark.parametrize("seed", range(20))
def test_the_kit_knows_the_rules(seed: int) -> None:
    """Random pairs and garbage until there is no room, as plain Python lets them fall and pop."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    field, columns = (0,) * 5, [[] for _ in range(KIT.COLUMNS)]
    while options := KIT.placements(field):
        assert options == plain.reachable([len(column) for column in columns])
        pair, placement = (rng.randint(1, 3), rng.randint(1, 4)), rng.choice(options)
        field, *result = KIT.drop(field, pair, placement)
        plain.place(columns, pair, placement)
        assert tuple(result) == plain.resolve(columns)
        for column in columns:
            column += [plain.GARBAGE] * (rng.random() < 0.1 and len(column) < KIT.ROWS)
        field = KIT.read_field(rows_of(columns))
        assert KIT.is_dead(field) == (len(columns[KIT.SPAWN]) >= 12)


def test_the_kit_knows_where_a_pair_can_be_brought() -> None:
    for levels in product(range(10, 14), repeat=KIT.COLUMNS):
        field = KIT.read_field(rows_of([[plain.GARBAGE] * level for level in levels]))
        assert KIT.placements(field) == plain.reachable(levels)


def test_the_kit_counts_long_chains_and_large_groups() -> None:
    rows = ["......"] * 9 + ["2.....", "112...", "112222", "333111"]
    columns = [[int(row[x]) for row in reversed(rows) if row[x] != "."] for x in range(KIT.COLUMNS)]
    assert KIT.resolve(KIT.read_field(rows))[1:] == plain.resolve(columns)


@pytest.mark.parametrize("name", in_python(BOTS))
def test_a_bot_needs_nothing_else(name: str, commands: dict[str, str]) -> None:
    assert last_words_alone(Path(shlex.split(commands[name])[1])).startswith("EOFError")


def test_the_bot_in_the_starter_module_plays(tmp_path: Path) -> None:
    assert meet(GAME, [example_written(GAME, "A placement is", tmp_path)] * 2, seed=1).faults == (None, None)
