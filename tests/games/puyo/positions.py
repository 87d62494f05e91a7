"""Fields and matches for tests: recorded ones, random ones, and batches of them."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from games.puyo import Puyo, State
from games.puyo.field import COLUMNS, SMASH, TSU, Field, Ruleset, read, rows
from tests.games.puyo import plain

VECTORS = Path(__file__).parents[2] / "vectors/puyo"
GAME = Puyo()


def vectors(name: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return recorded questions and answers."""
    with gzip.open(VECTORS / f"{name}.jsonl.gz", "rt") as file:
        return [(vector["input"], vector["output"]) for vector in map(json.loads, file)]


@st.composite
def columns(draw: st.DrawFn, rules: Ruleset = TSU, colours: int = 3) -> plain.Field:
    """Return a random field with few colours and some garbage, in which much pops; often high, sometimes empty."""
    dice = random.Random(draw(st.integers(0, 2**32)))  # noqa: S311 - no secret; drawing each cell is slow
    high = draw(st.integers(0, rules.rows))
    return [[dice.randint(0 if dice.random() < 0.3 else 1, colours) for _ in range(dice.randint(high // 2, high))]
            for _ in range(COLUMNS)]  # fmt: skip


@st.composite
def settled(draw: st.DrawFn, rules: Ruleset) -> plain.Field:
    """Return a random field in which nothing pops."""
    field = draw(columns(rules, 4))
    plain.resolve(field, TABLES[rules])
    return field


TABLES = {TSU: plain.TSU, SMASH: plain.SMASH}


def packed(fields: Sequence[plain.Field], rules: Ruleset = TSU) -> Field:
    """Return fields of the plain reference as an array (6, N)."""
    return np.stack([read(rules, drawn(field, rules)) for field in fields], axis=1)


def drawn(field: plain.Field, rules: Ruleset = TSU) -> list[str]:
    """Return a field of the plain reference as text."""
    return plain.picture(field, TABLES[rules])


def pictures(fields: Field, rules: Ruleset = TSU) -> list[list[str]]:
    """Return each of the fields (6, N) as text."""
    return [rows(rules, fields[:, n]) for n in range(fields.shape[1])]


def begun(*pictures: str, ruleset: str = "tsu", **changed: Any) -> State:
    """Return one match with fields given by their lowest rows, and further entries of the state, by seat."""
    state = GAME.reset([1], 2, {"ruleset": ruleset})
    lines = [picture.split() for picture in pictures or ("", "")]
    whole = [["." * COLUMNS] * (state.rules.rows - len(low)) + low for low in lines]
    fields = np.stack([read(state.rules, field) for field in whole], axis=1)[..., None]
    arrays: dict[str, Any] = {
        name: np.array(value, getattr(state, name).dtype).reshape(getattr(state, name).shape)
        for name, value in changed.items()
    }
    return replace(state, fields=fields, **arrays)


def supplied(state: State, *pairs: tuple[int, int]) -> State:
    """Return the same match with other pairs."""
    return replace(state, supply=replace(state.supply, pairs=np.array(pairs, np.uint8)[..., None]))


def play(state: State, *answers: str | None) -> State:
    """Return the state after a tick, given the answer of each seat; None: it is not asked."""
    assert [answer is not None for answer in answers] == GAME.to_move(state)[0].tolist()
    actions = GAME.idle(state)
    for seat, answer in enumerate(answers):
        if answer is not None:
            actions[0, seat] = GAME.parse(state, 0, seat, [answer])
    return GAME.step(state, actions)


def low(state: State, seat: int) -> str:
    """Return the rows of a field that are not empty, as ``begun`` takes them."""
    return " ".join(row for row in rows(state.rules, state.fields[:, seat, 0]) if set(row) != {"."})


def numbers(state: State, *names: str) -> list[list[int]]:
    """Return entries of the state, by seat."""
    return [getattr(state, name)[:, 0].tolist() for name in names]
