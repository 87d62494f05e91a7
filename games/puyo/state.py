"""What a batch of matches is made of, and how a match starts from its seed."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.seeding import between, draws_of_each
from games.puyo.field import COLUMNS, SMASH, TSU, Bools, Field, Ints, Ruleset
from games.puyo.placements import drop

SEATS = 2
PAIRS = {TSU: 128, SMASH: 208}
"""Pairs of a sequence, which then repeats. Smash the Code never comes to its end: 200 turns and what is shown ahead."""
PREVIEW = {TSU: 3, SMASH: 8}
"""Pairs that are known: the present one and those after it."""
TICKS = {TSU: 400, SMASH: 200}
"""Length of a match in which nobody dies."""
PERMUTATIONS = 128
"""Of the columns, for odd garbage; then they repeat."""
OPENING = 4
"""Puyos at the start that have one colour less than all, in Tsu."""


class Supply(msgspec.Struct, frozen=True, eq=False):
    """What falls: fixed by the seed, the same for both seats."""

    pairs: NDArray[np.uint8]
    """(pairs, 2, B): colours of axis and child, from 1."""
    turns: NDArray[np.uint8]
    """(permutations, 6, B): when it is each column's turn to get odd garbage, 0 first. Tsu only."""


class State(msgspec.Struct, frozen=True, eq=False):
    """B matches of P = 2 seats. The arrays are never changed.

    A state equals none but itself, so that what is made of it can be kept.
    """

    smash: bool
    """Smash the Code, not Tsu."""
    supply: Supply
    fields: Field
    """(6, P, B)"""
    index: NDArray[np.int64]
    """(P, B): pairs that have been placed."""
    score: NDArray[np.int64]
    """(P, B)"""
    pending: NDArray[np.int64]
    """(P, B): garbage coming from a chain that still runs. Smash the Code: lines of skulls that fall next turn."""
    fixed: NDArray[np.int64]
    """(P, B): garbage that falls when the seat has settled. Tsu only."""
    carry: NDArray[np.int64]
    """(P, B): points not yet turned into garbage, below the rate; Smash the Code: below the points of a line."""
    all_clear: Bools
    """(P, B): the next chain brings more garbage. Tsu only."""
    chain: NDArray[np.int64]
    """(P, B): steps done of a chain that still runs, 0: the seat is free to place. Tsu only."""
    steps: NDArray[np.int64]
    """(P, B): number of the last chain step done in the last tick, 0: nothing popped in it."""
    fallen: NDArray[np.int64]
    """(P, B): garbage that fell in the last tick, with what found no room."""
    falls: NDArray[np.int64]
    """(P, B): falls of garbage with an odd rest so far. Tsu only."""
    dead: Bools
    """(P, B)"""
    out: Bools
    """(P, B): disqualified."""
    tick: NDArray[np.int64]
    """(B,): ticks that have been played."""
    over: Bools
    """(B,)"""
    contest: bool = False
    """Smash the Code as in the contest of May 2016, where no scores are told."""

    @property
    def rules(self) -> Ruleset:
        """Sizes and tables."""
        return SMASH if self.smash else TSU

    @property
    def asked(self) -> Bools:
        """(P, B): who places a pair now."""
        free: Bools = ~(self.over | self.out) & (self.chain == 0)
        return free


def begin(supply: Supply, *, smash: bool, contest: bool = False) -> State:
    """Set matches up with empty fields."""
    count = supply.pairs.shape[-1]
    numbers, marks = np.zeros((9, SEATS, count), np.int64), np.zeros((3, SEATS, count), np.bool_)
    index, score, pending, fixed, carry, chain, steps, fallen, falls = numbers
    all_clear, dead, out = marks
    return State(
        smash=smash,
        supply=supply,
        fields=np.zeros((COLUMNS, SEATS, count), np.uint64),
        index=index,
        score=score,
        pending=pending,
        fixed=fixed,
        carry=carry,
        all_clear=all_clear,
        chain=chain,
        steps=steps,
        fallen=fallen,
        falls=falls,
        dead=dead,
        out=out,
        tick=np.zeros(count, np.int64),
        over=np.zeros(count, np.bool_),
        contest=contest,
    )


def supplied(seeds: Sequence[int], *, smash: bool) -> Supply:
    """Draw pairs and permutations: the same for a seed on every machine, for ever.

    A change here is a change of the rules' version.
    """
    return _smash_supply(seeds) if smash else _tsu_supply(seeds)


def _smash_supply(seeds: Sequence[int]) -> Supply:
    """Every puyo has any colour."""
    colours = between(draws_of_each(seeds, 0, 2 * PAIRS[SMASH]), 1, SMASH.colours).astype(np.uint8)
    return Supply(colours.T.reshape(PAIRS[SMASH], 2, -1), np.zeros((1, COLUMNS, len(seeds)), np.uint8))


def _tsu_supply(seeds: Sequence[int]) -> Supply:
    """Shuffle equally many puyos of each colour, see ``_opened``; colours and columns are shuffled, too."""
    puyos, names = 2 * PAIRS[TSU], TSU.colours
    numbers = draws_of_each(seeds, 0, puyos + names + PERMUTATIONS * COLUMNS)
    order, labels, columns = np.split(numbers, [puyos, puyos + names], axis=1)
    sequence = _opened(_shuffled(order) % names)
    pairs = 1 + np.take_along_axis(_shuffled(labels), sequence, axis=1)
    turns = _shuffled(columns.reshape(len(seeds), PERMUTATIONS, COLUMNS))
    return Supply(
        pairs.reshape(len(seeds), PAIRS[TSU], 2).transpose(1, 2, 0).astype(np.uint8),
        turns.transpose(1, 2, 0).astype(np.uint8),
    )


def _shuffled(numbers: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return permutations (.., n) of 0 to n - 1 by drawn numbers (.., n), all equally likely."""
    return numbers.argsort(axis=-1, kind="stable")


def _opened(sequences: NDArray[np.intp]) -> NDArray[np.intp]:
    """Let the first four puyos have three colours at most, as in the games since 2011.

    Where they have four, the fourth changes places with the first later one of another colour.
    """
    sequences = sequences.copy()
    last = sequences[:, OPENING - 1].copy()
    full = np.flatnonzero((np.sort(sequences[:, :OPENING], axis=1) == np.arange(OPENING)).all(axis=1))
    later = (sequences[:, OPENING:] != last[:, None]).argmax(axis=1) + OPENING
    sequences[full, OPENING - 1] = sequences[full, later[full]]
    sequences[full, later[full]] = last[full]
    return sequences


def preview(state: State) -> Ints:
    """Return (n, 2, P, B): the known pairs of each seat, the present one first."""
    known = np.arange(PREVIEW[state.rules])[:, None, None]
    at = (state.index + known) % len(state.supply.pairs)
    pairs: Ints = np.moveaxis(state.supply.pairs[at, :, np.arange(state.over.size)], -1, 1)
    return pairs


def placed(state: State, fields: Field, placing: Bools, moves: Ints) -> tuple[Field, Bools]:
    """Let the present pairs fall where a seat places one.

    Args:
        state: whose pairs they are.
        fields: (6, P, B).
        placing: (P, B).
        moves: (2, P, B): column of the axis and turn.

    Returns:
        The fields, and (P, B): whether all found room.
    """
    who = np.flatnonzero(placing)
    at = state.index.reshape(-1).take(who) % len(state.supply.pairs)
    pairs = state.supply.pairs[at, :, who % state.over.size].T
    fields, room = fields.copy(), np.ones(placing.shape, np.bool_)
    flat = fields.reshape(COLUMNS, -1)
    after, fits = drop(state.rules, flat.take(who, axis=1), pairs, moves.reshape(2, -1).take(who, axis=1))
    flat[:, who] = after
    room.reshape(-1)[who] = fits
    return fields, room
