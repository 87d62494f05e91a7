"""Fields: how puyos lie in memory and in text.

A column is one unsigned 64-bit number, ``bits`` bits a row from the bottom up, so that shifts go a row up or down and
all colours of a whole column are worked on at once. A field is six of them; many fields are (6, N)::

    row 2 (third)     0000 0100 ..        column 0 of the field      .     an empty cell is 0
    row 1             0000 0010            with colour 2              2     colour c is the one bit 1 << (c - 1)
    row 0 (bottom)    0000 0011            on garbage                 0     garbage is 3, the lowest two bits

Tsu: 4 colours, 13 rows of 4 bits; the topmost row is hidden: it neither pops nor connects. Smash the Code: 5 colours,
12 rows of 5 bits, all visible. There are no gaps: nothing hangs in the air.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.uint64]
"""(6, ...): columns of fields, or some of their cells, or marks at their cells."""
Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]

COLUMNS = 6
VISIBLE_ROWS = 12
GARBAGE = np.uint64(3)
ONE = np.uint64(1)
TEXT = ".012345"
"""Characters of cells: empty, garbage, colours from 1."""


@dataclass(frozen=True, eq=False)
class Ruleset:
    """Sizes and tables of a set of rules, and the masks that follow from them."""

    name: str
    colours: int
    rows: int
    chain_power: Ints
    """By step, from 1 on; the last one goes for all later steps."""
    colour_bonus: Ints
    """By the number of colours that pop in a step."""
    group_bonus: Ints
    """By the size of a group; the last one goes for all larger groups."""

    bits: np.uint64 = field(init=False)
    """A row's bits, as far as shifts go."""
    cell: np.uint64 = field(init=False)
    """The bottom cell, all bits."""
    lowest: np.uint64 = field(init=False)
    """The lowest bit of each cell of a column."""
    inside: np.uint64 = field(init=False)
    """All bits of a column."""
    visible: np.uint64 = field(init=False)
    """All bits of the rows that pop."""
    each_colour: Field = field(init=False)
    """(colours, 1, 1): a colour's bit in every cell."""
    downward: Field = field(init=False)
    """(rows, 1): how far each row is shifted, the topmost first."""

    def __post_init__(self) -> None:
        """Work the masks out."""
        bits = self.colours
        whole = (1 << bits * self.rows) - 1
        values = {
            "bits": bits,
            "cell": (1 << bits) - 1,
            "lowest": whole // ((1 << bits) - 1),
            "inside": whole,
            "visible": (1 << bits * VISIBLE_ROWS) - 1,
        }
        for name, value in values.items():
            object.__setattr__(self, name, np.uint64(value))
        object.__setattr__(self, "downward", self.bits * np.arange(self.rows - 1, -1, -1, dtype=np.uint64)[:, None])
        object.__setattr__(self, "each_colour", colour_bit(np.arange(1, bits + 1))[:, None, None] * self.lowest)


def colour_bit(colour: Ints) -> Field:
    """Return a colour from 1, of any shape, as the bits of the bottom cell."""
    return _COLOUR_BITS.take(colour)


_COLOUR_BITS = np.array([0, 1, 2, 4, 8, 16], np.uint64)


TSU = Ruleset(
    "tsu",
    colours=4,
    rows=13,
    chain_power=np.array([0, 0, 8, 16, *range(32, 513, 32)]),
    colour_bonus=np.array([0, 0, 3, 6, 12]),
    group_bonus=np.array([0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10]),
)
SMASH = Ruleset(
    "smash_the_code",
    colours=5,
    rows=12,
    chain_power=np.array([0, 0, *(8 << step for step in range(8))]),  # beyond 999 more does not count
    colour_bonus=np.array([0, 0, 2, 4, 8, 16]),
    group_bonus=np.array([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 8]),
)


def occupied(rules: Ruleset, columns: Field) -> Field:
    """Return the lowest bit of each cell that is not empty."""
    top = rules.bits - ONE
    # A cell holds 0, one bit, or 3: adding all bits but the highest carries into the highest unless it is empty.
    return (columns + rules.lowest * (rules.cell >> ONE) >> top) & rules.lowest


def free(rules: Ruleset, columns: Field) -> Field:
    """Return the lowest bit of the lowest empty cell of each column; it lies above the field where there is none."""
    return occupied(rules, columns) * rules.cell + ONE


def heights(rules: Ruleset, columns: Field) -> NDArray[np.uint8]:
    """Return how many puyos lie in each column."""
    return np.bitwise_count(occupied(rules, columns))


def blocks(fields: Field) -> list[Field]:
    """Cut fields (6, N) into at least one block of at most ``_BLOCK``.

    Larger arrays get memory of their own from the system at every single operation, which makes them five times slower.
    """
    return [fields[:, start : start + _BLOCK] for start in range(0, max(fields.shape[1], 1), _BLOCK)]


_BLOCK = 1_024


def garbage_marks(rules: Ruleset, columns: Field) -> Field:
    """Return the lowest bit of each garbage cell."""
    return columns & columns >> ONE & rules.lowest


def rain(rules: Ruleset, fields: Field, counts: Ints) -> Field:
    """Let garbage fall.

    Args:
        rules: sizes.
        fields: (6, N).
        counts: (6, N): puyos for each column, 0 or more. What finds no room is lost.
    """
    pile = (ONE << rules.bits * np.minimum(counts, rules.rows).astype(np.uint64)) - ONE
    return fields | (free(rules, fields) * (pile & rules.lowest * GARBAGE) & rules.inside)


def codes(rules: Ruleset, fields: Field) -> NDArray[np.uint8]:
    """Return (rows, 6) of a field (6,), (N, rows, 6) of fields (6, N): indices into ``TEXT``, the topmost row first."""
    cells = fields.T[..., None, :] >> rules.downward & rules.cell
    return _CODES.take(cells.astype(np.intp))


def rows(rules: Ruleset, fields: Field, text: bytes = TEXT.encode()) -> list[str]:
    """Return a field (6,), or fields (6, N) one after the other, as text, the topmost row first."""
    picture = np.frombuffer(text, np.uint8).take(codes(rules, fields)).tobytes().decode()
    return [picture[start : start + COLUMNS] for start in range(0, len(picture), COLUMNS)]


def read(rules: Ruleset, picture: Sequence[str], text: str = TEXT) -> Field:
    """Return the field (6,) of a picture as ``rows`` makes it, which must have the right size and characters."""
    columns = [0] * COLUMNS
    for row, line in enumerate(reversed(picture)):
        for column, char in enumerate(line):
            columns[column] |= _CELLS[text.index(char)] << int(rules.bits) * row
    return np.array(columns, np.uint64)


_CELLS = (0, int(GARBAGE), 1, 2, 4, 8, 16)
"""A cell's bits by its index into ``TEXT``."""
_CODES = np.zeros(32, np.uint8)
_CODES[list(_CELLS)] = range(len(_CELLS))
