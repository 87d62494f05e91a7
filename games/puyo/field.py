"""The form of fields in memory and as text.

A column is one unsigned 64-bit number, with ``bits`` bits for each row from the bottom up. A shift moves it by rows,
and one operation works on all colours of a whole column. A field is six columns, N fields are an array (6, N)::

    row 2 (third)     0000 0100 ..        column 0 of the field      .     an empty cell is 0
    row 1             0000 0010            with colour 2              2     colour c is the one bit 1 << (c - 1)
    row 0 (bottom)    0000 0011            on garbage                 0     garbage is 3, the lowest two bits

Tsu has 4 colours and 13 rows of 4 bits; the topmost row is hidden: its puyos neither pop nor connect. Smash the Code
has 5 colours and 12 rows of 5 bits, all visible. No puyo ever lies above an empty cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Field = NDArray[np.uint64]
"""(6, ...): the columns of fields; or of a selection of their cells; or with the lowest bit of selected cells set."""
Bools = NDArray[np.bool_]
Ints = NDArray[np.integer[Any]]

COLUMNS = 6
VISIBLE_ROWS = 12
GARBAGE = np.uint64(3)
ONE = np.uint64(1)
TEXT = ".012345"
"""The characters of cells: empty, garbage, then the colours from 1 on."""


@dataclass(frozen=True, eq=False)
class Ruleset:
    """Sizes and tables of a set of rules, and bit masks that follow from them."""

    name: str
    colours: int
    rows: int
    chain_power: Ints
    """The chain bonus of each step, from step 1 on; the last entry holds for all later steps."""
    colour_bonus: Ints
    """The bonus for the number of colours that pop in a step, which is the index."""
    group_bonus: Ints
    """The bonus for the size of a group, which is the index; the last entry holds for all larger groups."""

    bits: np.uint64 = field(init=False)
    """Number of bits of a cell, by which a shift moves a column one row."""
    cell: np.uint64 = field(init=False)
    """Mask of all bits of the bottom cell."""
    lowest: np.uint64 = field(init=False)
    """Mask of the lowest bit of each cell of a column."""
    inside: np.uint64 = field(init=False)
    """Mask of all bits of a column."""
    visible: np.uint64 = field(init=False)
    """Mask of all bits of the visible rows."""
    each_colour: Field = field(init=False)
    """(colours, 1, 1): masks of the bit of each colour in every cell."""
    downward: Field = field(init=False)
    """(rows, 1): by how many bits to shift each row to the bottom, the topmost row first."""

    def __post_init__(self) -> None:
        """Compute the masks ``cell``, ``inside`` and the others from the sizes."""
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
    """Return colours, numbered from 1, as bits of the bottom cell; the shape stays."""
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
    chain_power=np.array([0, 0, *(8 << step for step in range(8))]),  # more than 999 does not count
    colour_bonus=np.array([0, 0, 2, 4, 8, 16]),
    group_bonus=np.array([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 8]),
)


def occupied(rules: Ruleset, columns: Field) -> Field:
    """Return the lowest bit of each cell that is not empty."""
    top = rules.bits - ONE
    # A cell is 0, one bit, or 3: adding all bits but the highest one sets the highest one unless the cell is empty.
    return (columns + rules.lowest * (rules.cell >> ONE) >> top) & rules.lowest


def free(rules: Ruleset, columns: Field) -> Field:
    """Return the lowest bit of the lowest empty cell of each column; for a full column, a bit above the field."""
    return occupied(rules, columns) * rules.cell + ONE


def heights(rules: Ruleset, columns: Field) -> NDArray[np.uint8]:
    """Return the number of puyos in each column."""
    return np.bitwise_count(occupied(rules, columns))


def blocks(fields: Field) -> list[Field]:
    """Return fields (6, N) as a list of blocks of at most ``_BLOCK`` fields; there is at least one block.

    Operations on larger arrays are five times slower, because each of them gets new memory from the operating system.
    """
    return [fields[:, start : start + _BLOCK] for start in range(0, max(fields.shape[1], 1), _BLOCK)]


_BLOCK = 1_024


def garbage_marks(rules: Ruleset, columns: Field) -> Field:
    """Return the lowest bit of each garbage cell."""
    return columns & columns >> ONE & rules.lowest


def rain(rules: Ruleset, fields: Field, counts: Ints) -> Field:
    """Return fields (6, N) after ``counts`` (6, N) garbage puyos have fallen on each column; those too many vanish."""
    pile = (ONE << rules.bits * np.minimum(counts, rules.rows).astype(np.uint64)) - ONE
    return fields | (free(rules, fields) * (pile & rules.lowest * GARBAGE) & rules.inside)


def codes(rules: Ruleset, fields: Field) -> NDArray[np.uint8]:
    """Return the index in ``TEXT`` of each cell, topmost row first: (rows, 6) for a field (6,), else (N, rows, 6)."""
    cells = fields.T[..., None, :] >> rules.downward & rules.cell
    return _CODES.take(cells.astype(np.intp))


def rows(rules: Ruleset, fields: Field, text: bytes = TEXT.encode()) -> list[str]:
    """Return the rows of a field (6,), or of fields (6, N) one after another, as text, the topmost row first."""
    picture = np.frombuffer(text, np.uint8).take(codes(rules, fields)).tobytes().decode()
    return [picture[start : start + COLUMNS] for start in range(0, len(picture), COLUMNS)]


def read(rules: Ruleset, picture: Sequence[str], text: str = TEXT) -> Field:
    """Return the field (6,) from its rows as ``rows`` returns them; they must have the right size and characters."""
    columns = [0] * COLUMNS
    for row, line in enumerate(reversed(picture)):
        for column, char in enumerate(line):
            columns[column] |= _CELLS[text.index(char)] << int(rules.bits) * row
    return np.array(columns, np.uint64)


_CELLS = (0, int(GARBAGE), 1, 2, 4, 8, 16)
"""The bits of a cell by its index in ``TEXT``."""
_CODES = np.zeros(32, np.uint8)
_CODES[list(_CELLS)] = range(len(_CELLS))
