"""The house bots of Puyo Puyo play as processes without a fault, and their kit knows the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib import import_module
from itertools import permutations, product
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from games.housebots import housebots_for
from games.registry import FOLDER
from tests.games.bots.kit import (
    each_pair,
    meet,
    said,
    starter,
    starter_importable,
)
from tests.games.puyo import plain

pytestmark = pytest.mark.test_all

GAME = "puyo"


BOTS = {bot.description.name: bot for bot in housebots_for(GAME)}


KIT = starter(GAME)


@pytest.mark.parametrize("pair", each_pair(BOTS), ids=" against ".join)
def test_no_fault_against_each_other(pair: tuple[str, str], commands: dict[str, str]) -> None:
    outcome = meet(GAME, [commands[name] for name in pair], seed=3)
    assert outcome.faults == (None, None)


@pytest.mark.parametrize("name", sorted(BOTS.keys() - {"random"}))
def test_every_bot_beats_random(name: str, commands: dict[str, str]) -> None:
    for seats in permutations([name, "random"]):
        outcome = meet(GAME, [commands[bot] for bot in seats], seed=4)
        assert outcome.ranks[seats.index(name)] == 1


def rows_of(columns: plain.Field) -> list[str]:
    """Return the rows of a field as in a question."""
    grid = [[str(column[y]) if y < len(column) else "." for column in columns] for y in range(KIT.ROWS)]
    return ["".join(row) for row in reversed(grid)]


@pytest.mark.parametrize("seed", range(20))
def test_the_kit_knows_the_rules(seed: int) -> None:
    """Random pairs and garbage fall and pop as in the plain reference, until the field is full."""
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


@pytest.fixture(scope="module")
def three_ply() -> Iterator[ModuleType]:
    """The program of ``three_ply``, without playing, and the kit as it imports it."""
    with (
        starter_importable(FOLDER / GAME / "bots" / "starter"),
        starter_importable(FOLDER / GAME / "bots" / "three_ply"),
    ):
        import_module("puyo").play = lambda decide: None
        yield import_module("main")


def test_three_ply_looks_at_every_way_to_place_three_pairs(three_ply: ModuleType) -> None:
    field = max(grown(5), key=lambda field: len(KIT.placements(field)))
    pairs = [(1, 2), (3, 3), (4, 1)]
    best = {start: best_end(three_ply, field, start, pairs) for start in KIT.placements(field)}
    player = KIT.Player(pairs, 0, 0, 0, 0, False, 0, field)
    answer = three_ply.decide(KIT.Match(0, 70, player, player))
    assert best[answer] == max(best.values()) > min(best.values())


def best_end(three_ply: ModuleType, field: Any, start: tuple[int, int], pairs: list[tuple[int, int]]) -> float:
    """Return the worth, chains included, of the best field after some pairs, computed one by one by the kit."""
    ends = {(field, 0.0)}
    for pair, starts in zip(pairs, ([start], None, None), strict=True):
        ends = {
            (after, chains + float(three_ply.chains_worth(np.array(steps))))
            for field, chains in ends
            for placement in starts or KIT.placements(field)
            for after, steps, _ in [KIT.drop(field, pair, placement)]
        }
    alive = [(three_ply.begun(field).fields, chains) for field, chains in ends if not KIT.is_dead(field)]
    fields, chains = zip(*alive, strict=True)
    return float((three_ply.worth(np.concatenate(fields, axis=2)) + chains).max())


@pytest.fixture(scope="module")
def beam() -> Iterator[dict[str, ModuleType]]:
    """The modules of ``beam``, and the kit as they import it."""
    with starter_importable(FOLDER / GAME / "bots" / "starter"), starter_importable(FOLDER / GAME / "bots" / "beam"):
        yield {name: import_module(name) for name in ("puyo", "fields")}


def grown(seed: int) -> list[tuple[int, ...]]:
    """Return fields after random pairs, before anything has popped."""
    rng, found = random.Random(seed), []  # noqa: S311 - no secret
    for _ in range(60):
        field = (0,) * 5
        for _ in range(rng.randint(1, 26)):
            if options := KIT.placements(field):
                field = KIT.place(field, (rng.randint(0, 3), rng.randint(1, 4)), rng.choice(options))
        found.append(field)
    return found


def test_many_fields_pop_as_each_of_them_does(beam: dict[str, ModuleType]) -> None:
    module, singles = beam["fields"], grown(1)
    many = np.concatenate([module.begun(field).fields for field in singles], axis=2)
    after, steps, score = module.resolve(many)
    expected = [KIT.resolve(field) for field in singles]
    assert steps.tolist() == [result[1] for result in expected]
    assert max(steps) > 1
    for number, (field, _, points) in enumerate(expected):
        assert (module.begun(field).fields[:, :, 0] == after[:, :, number]).all()
        assert (score[number] > 0) == (points > 0)
    assert sum(score == [result[2] for result in expected]) > len(singles) / 2


def test_a_level_holds_every_field_that_a_pair_leads_to(beam: dict[str, ModuleType]) -> None:
    module = beam["fields"]
    for field in grown(2):
        start = KIT.resolve(field)[0]
        level = module.longer(module.begun(start), (1, 2))
        reached = {KIT.drop(start, (1, 2), placement)[0] for placement in KIT.placements(start)}
        reached = {field for field in reached if not KIT.is_dead(field)}
        found = dict(zip(fields_of(level.fields), level.starts, strict=True))
        assert found.keys() == reached
        assert all(KIT.drop(start, (1, 2), placement)[0] == after for after, placement in found.items())


def fields_of(many: Any) -> list[tuple[int, ...]]:
    """Return the fields of an array in the form of the kit."""
    columns = many.astype(object)
    return [
        tuple(sum(int(columns[colour, x, number]) << 16 * x for x in range(KIT.COLUMNS)) for colour in range(5))
        for number in range(many.shape[2])
    ]


def test_beam_clears_the_field_though_its_chain_is_short(commands: dict[str, str]) -> None:
    mine = ["1 1", "1 1", "2 3", "0 0 0 0 0 0", *["......"] * 13]
    first = said(commands["beam"], ["0 400 70 1", "0 70", *mine, *mine])
    x, r = map(int, first[0].split())
    field = KIT.place((0,) * 5, (1, 1), (x, r))
    assert any(not any(KIT.drop(field, (1, 1), placement)[0]) for placement in KIT.placements(field))


def test_beam_builds_on_while_the_opponent_is_buried(commands: dict[str, str]) -> None:
    """This pair triggers no chain, so that no attack can kill now."""
    mine = ["1 2", "1 2", "1 1", "0 0 0 0 0 0", *["......"] * 12, "11...."]
    answers = []
    for fixed in (0, 72):
        his = ["3 4", "3 4", "3 4", f"0 0 {fixed} 0 0 0", *["......"] * 13]
        answers.append(said(commands["beam"], ["0 400 70 1", "9 70", *mine, *his]))
    assert answers[0] == answers[1]
