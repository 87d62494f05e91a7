"""The state of a batch of Puyo Puyo matches, and the pairs and garbage columns that are drawn from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from core.seeding import between, draws_of_each
from games.puyo.field import COLUMNS, SMASH, TSU, Bools, Field, Ints, Ruleset
from games.puyo.placements import drop

SEATS = 2
PAIRS = {TSU: 128, SMASH: 208}
"""Number of pairs in a sequence, which then repeats. Smash the Code needs no more: 200 turns and 8 pairs shown."""
PREVIEW = {TSU: 3, SMASH: 8}
"""Number of pairs that a bot knows: the present one and those after it."""
TICKS = {TSU: 400, SMASH: 200}
"""Number of ticks after which a match ends."""
PERMUTATIONS = 128
"""Number of permutations of the columns for garbage that is no whole line; then they repeat."""
OPENING = 4
"""In Tsu, this number of puyos at the start have at most three of the four colours."""


class Supply(msgspec.Struct, frozen=True, eq=False):
    """The pairs and garbage columns drawn from the seed, the same for both seats."""

    pairs: NDArray[np.uint8]
    """(pairs, 2, B): colours of axis and child, from 1."""
    turns: NDArray[np.uint8]
    """(permutations, 6, B): the position of each column in the order in which columns get a rest of garbage that is no
    whole line. Tsu only."""


class State(msgspec.Struct, frozen=True, eq=False):
    """B matches of P = 2 seats. The arrays are never changed.

    States are compared by identity, so that functions of a state can be cached.
    """

    smash: bool
    """Whether the rules are those of Smash the Code; else of Tsu."""
    supply: Supply
    fields: Field
    """(6, P, B): the field of each seat."""
    index: NDArray[np.int64]
    """(P, B): number of pairs placed."""
    score: NDArray[np.int64]
    """(P, B): the points of all chains of each seat."""
    pending: NDArray[np.int64]
    """(P, B): garbage coming from a chain that still runs. Smash the Code: lines of skulls that fall next turn."""
    fixed: NDArray[np.int64]
    """(P, B): garbage that falls as soon as no chain of the seat runs. Tsu only."""
    carry: NDArray[np.int64]
    """(P, B): points that are not enough for another garbage puyo (Smash the Code: another line of skulls) yet."""
    all_clear: Bools
    """(P, B): whether the next chain sends more garbage because the last one has emptied the field. Tsu only."""
    chain: NDArray[np.int64]
    """(P, B): number of steps so far of a chain that still runs; 0 if none runs. Tsu only."""
    steps: NDArray[np.int64]
    """(P, B): number of the last chain step in the last tick; 0 if nothing popped in it."""
    fallen: NDArray[np.int64]
    """(P, B): garbage that fell in the last tick, including puyos that did not fit."""
    falls: NDArray[np.int64]
    """(P, B): how often garbage has fallen that was no whole number of lines. Tsu only."""
    dead: Bools
    """(P, B): whether each seat has lost: no pair can appear on its field or, in Smash the Code, it has placed none."""
    out: Bools
    """(P, B): whether each seat is disqualified."""
    tick: NDArray[np.int64]
    """(B,): number of ticks played."""
    over: Bools
    """(B,): whether the match has ended."""
    contest: bool = False
    """Whether it is Smash the Code as in the contest of May 2016, whose questions have no scores."""

    @property
    def rules(self) -> Ruleset:
        """The set of rules, with sizes and tables."""
        return SMASH if self.smash else TSU

    @property
    def asked(self) -> Bools:
        """(P, B): whether each seat places a pair now."""
        free: Bools = ~(self.over | self.out) & (self.chain == 0)
        return free


def first_state(supply: Supply, *, smash: bool, contest: bool = False) -> State:
    """Return the first state of matches, with empty fields.

    ``smash`` tells whether they are played by the rules of Smash the Code, else of Tsu; ``contest`` whether bots are
    asked as in the contest of May 2016.
    """
    count = supply.pairs.shape[-1]
    numbers = ("index", "score", "pending", "fixed", "carry", "chain", "steps", "fallen", "falls")
    zeros: dict[str, Any] = {name: np.zeros((SEATS, count), np.int64) for name in numbers}
    zeros |= {name: np.zeros((SEATS, count), np.bool_) for name in ("all_clear", "dead", "out")}
    return State(
        smash=smash,
        supply=supply,
        fields=np.zeros((COLUMNS, SEATS, count), np.uint64),
        tick=np.zeros(count, np.int64),
        over=np.zeros(count, np.bool_),
        contest=contest,
        **zeros,
    )


def supplied(seeds: Sequence[int], *, smash: bool) -> Supply:
    """Return the pairs and permutations drawn from each seed: the same on every machine and in every release.

    ``smash`` tells whether they are for Smash the Code, else for Tsu.

    If you change this, also change ``rules_version``.
    """
    return _smash_supply(seeds) if smash else _tsu_supply(seeds)


def _smash_supply(seeds: Sequence[int]) -> Supply:
    """Draw the colour of each puyo independently."""
    colours = between(draws_of_each(seeds, 0, 2 * PAIRS[SMASH]), 1, SMASH.colours).astype(np.uint8)
    return Supply(colours.T.reshape(PAIRS[SMASH], 2, -1), np.zeros((1, COLUMNS, len(seeds)), np.uint8))


def _tsu_supply(seeds: Sequence[int]) -> Supply:
    """Shuffle equally many puyos of each colour, at most three of them among the first four; shuffle columns, too."""
    puyos, names = 2 * PAIRS[TSU], TSU.colours
    numbers = draws_of_each(seeds, 0, puyos + names + PERMUTATIONS * COLUMNS)
    order, labels, columns = np.split(numbers, [puyos, puyos + names], axis=1)
    sequence = _shuffled(order) % names
    # As in the games since 2011, the first four puyos have at most three colours: if they have four, the fourth is
    # swapped with the first later one of another colour.
    last = sequence[:, OPENING - 1].copy()
    full = np.flatnonzero((np.sort(sequence[:, :OPENING], axis=1) == np.arange(OPENING)).all(axis=1))
    later = (sequence[:, OPENING:] != last[:, None]).argmax(axis=1) + OPENING
    sequence[full, OPENING - 1] = sequence[full, later[full]]
    sequence[full, later[full]] = last[full]
    pairs = 1 + np.take_along_axis(_shuffled(labels), sequence, axis=1)
    turns = _shuffled(columns.reshape(len(seeds), PERMUTATIONS, COLUMNS))
    return Supply(
        pairs.reshape(len(seeds), PAIRS[TSU], 2).transpose(1, 2, 0).astype(np.uint8),
        turns.transpose(1, 2, 0).astype(np.uint8),
    )


def _shuffled(numbers: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return random permutations (.., n) of 0 to n - 1, given random numbers (.., n)."""
    return numbers.argsort(axis=-1, kind="stable")


def preview(state: State) -> Ints:
    """Return (n, 2, P, B): the known pairs of each seat, the present one first."""
    known = np.arange(PREVIEW[state.rules])[:, None, None]
    at = (state.index + known) % len(state.supply.pairs)
    pairs: Ints = np.moveaxis(state.supply.pairs[at, :, np.arange(state.over.size)], -1, 1)
    return pairs


def placed(state: State, fields: Field, placing: Bools, moves: Ints) -> tuple[Field, Bools]:
    """Let the present pair of each seat that places one fall on its field. Nothing pops yet.

    ``fields`` (6, P, B) are the fields; ``placing`` (P, B) tells whether each seat places its pair; ``moves`` (2, P, B)
    are the column of the axis and the turn.

    Returns:
        The fields (6, P, B), and (P, B): whether the pair fits into the field; True for seats that place none.
    """
    who = np.flatnonzero(placing)
    at = state.index.reshape(-1).take(who) % len(state.supply.pairs)
    pairs = state.supply.pairs[at, :, who % state.over.size].T
    fields, fits = fields.copy(), np.ones(placing.shape, np.bool_)
    flat = fields.reshape(COLUMNS, -1)
    after, fit = drop(state.rules, flat.take(who, axis=1), pairs, moves.reshape(2, -1).take(who, axis=1))
    flat[:, who] = after
    fits.reshape(-1)[who] = fit
    return fields, fits
