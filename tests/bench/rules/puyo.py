"""Benchmark cases of Puyo Puyo, on fields that random players reach."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from games.puyo import Puyo
from games.puyo.chain import resolve
from games.puyo.field import COLUMNS, TSU, Field, Ints, codes
from games.puyo.placements import PLACEMENTS, drop, expand
from games.puyo.rules import legal
from games.puyo.state import State, preview
from tests.bench.rules import Case
from tests.games.puyo import plain

_GAME = Puyo()
_OPENING_TICKS = 12
_PAIRS = ((1, 2), (3, 4), (2, 3))


def _position(matches: int) -> State:
    """Return matches of random players after ``_OPENING_TICKS`` ticks."""
    rng = np.random.default_rng(0)
    state = _GAME.reset(range(matches))
    for _ in range(_OPENING_TICKS):
        state = _GAME.step(state, _random_moves(state, rng).T)
    return state


def _random_moves(state: State, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return (2, P, B): a random legal placement for each seat."""
    allowed = legal(state)
    number = np.where(allowed, rng.random(allowed.shape), -1).argmax(axis=0)
    return np.array(PLACEMENTS).T[:, number]


def _searching() -> Callable[[], object]:
    fields = _position(1).fields[:, 0]

    def search() -> Field:
        after = fields
        for pair in _PAIRS:
            after = expand(TSU, after, pair).fields.reshape(COLUMNS, -1)
        return after

    return search


def _placing(fields: int) -> Callable[[], object]:
    flat, pairs, moves = _placements(fields)
    return lambda: resolve(TSU, drop(TSU, flat, pairs, moves)[0])


def _placements(fields: int) -> tuple[Field, Ints, Ints]:
    """Return fields (6, N), pairs (2, N) and legal placements (2, N)."""
    state = _position(fields // 2)
    moves = _random_moves(state, np.random.default_rng(1))
    return state.fields.reshape(COLUMNS, -1), preview(state)[0].reshape(2, -1), moves.reshape(2, -1)


def _searching_plainly() -> Callable[[], object]:
    """Return a function that searches below one of the 22 placements of the first pair, in plain Python."""
    columns = _plain(_position(1).fields[:, 0])[0]
    return partial(plain.search, columns, _PAIRS[1:])


def _placing_plainly(fields: int) -> Callable[[], object]:
    flat, pairs, moves = _placements(fields)
    work = list(zip(_plain(flat), pairs.T.tolist(), moves.T.tolist(), strict=True))

    def place() -> None:
        for columns, pair, move in work:
            after = copy.deepcopy(columns)
            plain.place(after, pair, move)
            plain.resolve(after)

    return place


def _plain(fields: Field) -> list[plain.Field]:
    """Return fields (6, N) in the form of the plain reference."""
    pictures = codes(TSU, fields)[:, ::-1].transpose(0, 2, 1).tolist()
    return [[[code - 1 for code in column if code] for column in picture] for picture in pictures]


def _playing_plainly() -> Callable[[], object]:
    """Return a function that plays the next tick of a match, in plain Python; after the last one it begins again."""
    rng = random.Random(0)  # noqa: S311 - no secret
    supply = _GAME.reset([0]).supply
    fresh = plain.Match(supply.pairs[..., 0].tolist(), supply.turns[..., 0].argsort(axis=1).tolist())
    match = copy.deepcopy(fresh)

    def tick() -> None:
        nonlocal match
        if match.over:
            match = copy.deepcopy(fresh)
        moves: list[plain.Move | None] = [None, None]
        for seat, player in enumerate(match.players):
            if not player.chain:
                match.lines(seat)
                moves[seat] = rng.choice(plain.reachable([len(column) for column in player.field]))
        match.step(moves)

    return tick


PLAIN_STEP = _playing_plainly
CASES = [
    Case(
        "22^3 placements with chains, one field",
        1,
        "searches",
        _searching,
        key="puyo_22_cubed",
        timed="ms",
        plain=_searching_plainly,
        plain_batch=1 / len(PLACEMENTS),
    ),
    Case(
        "placements with chains",
        1_024,
        "placements",
        partial(_placing, 1_024),
        key="puyo_placements",
        plain=partial(_placing_plainly, 64),
        plain_batch=64,
    ),
]
