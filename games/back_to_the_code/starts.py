"""Draws the cells on which seats start from the seed of a match. If you change this, also change ``rules_version``."""

from __future__ import annotations

from core.seeding import between, draws

Cell = tuple[int, int]


def starts(seed: int, players: int, grid: tuple[int, int]) -> list[Cell]:
    """Return x and y of the cell on which each seat starts, all different, on a grid of H and W.

    Two seats start symmetrically about the centre of the board; three or four start anywhere. The grid must have as
    many cells as there are players, and 0 <= seed < 2**64.
    """
    height, width = grid
    size = height * width
    if players == 2:
        cell = int(between(draws(seed, 0, 1), 0, size // 2 - 1)[0])
        chosen = [cell, size - 1 - cell]
    else:
        chosen = _different(seed, players, size)
    return [(cell % width, cell // width) for cell in chosen]


def _different(seed: int, count: int, size: int) -> list[int]:
    """Return ``count`` different random numbers below ``size``."""
    chosen: list[int] = []
    for index in range(count):
        number = int(between(draws(seed, index, 1), 0, size - 1 - index)[0])
        for earlier in sorted(chosen):  # draw the n-th of the numbers that are not chosen yet
            number += number >= earlier
        chosen.append(number)
    return chosen
