"""Where the seats start, drawn from a match's seed. A change here is a change of the rules' version."""

from __future__ import annotations

from core.seeding import between, draws

Cell = tuple[int, int]


def starts(seed: int, players: int, grid: tuple[int, int]) -> list[Cell]:
    """Return x and y of each seat, all different.

    Two seats start opposite each other: point-symmetric about the centre. More start anywhere.

    Args:
        seed: 0 <= seed < 2**64.
        players: P.
        grid: H and W, with P cells at least.
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
    """Return different numbers below size, each equally likely: the n-th of those not yet chosen."""
    chosen: list[int] = []
    for index in range(count):
        number = int(between(draws(seed, index, 1), 0, size - 1 - index)[0])
        for taken in sorted(chosen):
            number += number >= taken
        chosen.append(number)
    return chosen
