"""Flood fill and enclosed areas on many boards.

``tests/games/kakomimasu/test_reference.py`` compares them with plain rules.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from core import enclosure
from core.enclosure import Plane, enclosed, outside, pack


def planes(*boards: str) -> Plane:
    """Return the walls of the two seats A and B on boards, (2, H + 2, W + 2, K)."""
    cells = np.array([[list(row) for row in board.split()] for board in boards])
    walls = np.stack([cells == seat for seat in "AB"]).transpose(0, 2, 3, 1)
    return pack(np.pad(walls, ((0, 0), (1, 1), (1, 1), (0, 0))))


def boards(held: Plane, count: int) -> list[str]:
    """Return the cells that each of two seats holds, drawn like the boards given to ``planes``."""
    flags = np.unpackbits(held, axis=-1, count=count)[:, 1:-1, 1:-1]
    drawn = np.where(flags[0] == 1, "a", np.where(flags[1] == 1, "b", "."))
    return [" ".join("".join(row) for row in drawn[..., b]) for b in range(count)]


def noise(width: int, height: int, count: int, density: float) -> Plane:
    """Return random walls of three seats as planes."""
    rng = np.random.default_rng(0)
    owner = rng.choice(4, size=(height, width, count), p=[1 - density, *[density / 3] * 3])
    walls = np.stack([owner == seat for seat in (1, 2, 3)])
    return pack(np.pad(walls, ((0, 0), (1, 1), (1, 1), (0, 0))))


def test_a_single_board_is_packed_like_many() -> None:
    flags = np.array([[0], [1], [0x40], [0x80]], np.uint8)
    assert pack(flags).tolist() == pack(np.pad(flags, ((0, 0), (0, 1)))).tolist() == [[0], [0x80], [0x80], [0x80]]
    assert pack(flags != 0).tolist() == [[0], [0x80], [0x80], [0x80]]


def test_rings_hold_what_is_inside_and_no_wall() -> None:
    rings = ["BBB. AAA. A.A. AAA.", "BBBB B..B BBBB ....", "AAAA A..B AAAA ....", "..A. .A.A ..A. ...."]
    areas = [".... .... .a.. ....", ".... .bb. .... ....", ".... .... .... ....", ".... .... .... ...."]
    assert boards(enclosed(planes(*rings)), len(rings)) == areas


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_the_innermost_of_nested_rings_decides(depth: int) -> None:
    side = 4 * depth - 1
    board = np.full((side, side), ".")
    for ring in range(depth):
        low, high = 2 * ring, side - 2 * ring
        board[low:high, low:high] = "AB"[ring % 2]
        board[low + 1 : high - 1, low + 1 : high - 1] = "."
    held = boards(enclosed(planes(" ".join(map("".join, board)))), 1)[0].split()
    for ring in range(depth):
        assert held[2 * ring][side // 2] == "."
        assert held[2 * ring + 1][side // 2] == "ab"[ring % 2]


def test_a_flood_follows_a_long_way() -> None:
    """Walls from the left and right edge alternate, so that the flood has to wind through the whole board."""
    side = 21
    board = np.full((side, side), ".")
    board[1::4, :-1] = board[3::4, 1:] = "A"
    state = planes(" ".join(map("".join, board)))
    assert not enclosed(state).any()
    board[:, [0, -1]] = "A"
    assert "." not in boards(enclosed(planes(" ".join(map("".join, board)))), 1)[0].split()[2][1:-1]


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 9), (9, 1), (2, 2), (10, 10), (17, 6)])
@pytest.mark.parametrize("density", [0.4, 0.8])
def test_sweeps_and_blocks_change_nothing_but_the_time(
    monkeypatch: pytest.MonkeyPatch, width: int, height: int, density: float
) -> None:
    walls = noise(width, height, 203, density)
    results: list[NDArray[np.uint8]] = []
    for sweep_bytes, block_bytes in product((0, 1 << 40), (1, walls.nbytes // 5, 1 << 40)):
        monkeypatch.setattr(enclosure, "_SWEEP_BYTES", sweep_bytes)
        monkeypatch.setattr(enclosure, "_BLOCK_BYTES", block_bytes)
        monkeypatch.setattr(enclosure, "_idle", [])  # a flood that is cached has the former block sizes
        results.append(enclosed(walls))
    assert all(np.array_equal(result, results[0]) for result in results)
    alone = enclosed(np.ascontiguousarray(walls[..., 3:4]))
    assert np.array_equal(alone, results[0][..., 3:4])


def test_what_was_flooded_before_changes_nothing_but_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood guesses its number of steps from the last one: here after many steps, after few, and after none."""
    side = 21
    comb = np.full((side, side), ".")
    comb[1::4, :-1] = comb[3::4, 1:] = "A"
    lawn, ring = np.full((side, side), "."), np.full((side, side), "B")
    ring[5:-5, 5:-5] = "."
    walls = [planes(" ".join(map("".join, board))) for board in (comb, lawn, ring)]
    alone = []
    for each in walls:
        monkeypatch.setattr(enclosure, "_idle", [])
        alone.append(enclosed(each))
    assert np.count_nonzero(alone[2]) == (side - 10) ** 2
    for before, after in product(range(3), repeat=2):
        enclosed(walls[before])
        assert np.array_equal(enclosed(walls[after]), alone[after])


def test_a_sweep_that_reaches_nothing_is_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first sweep goes down, and the only way in of all boards leads up."""
    monkeypatch.setattr(enclosure, "_SWEEP_BYTES", 0)
    monkeypatch.setattr(enclosure, "_idle", [])
    walls = planes(*["AAA A.A A.A"] * 8)[:1]
    region = np.zeros_like(walls[0])
    region[1:-1, 1:-1] = 0xFF
    for _ in range(3):  # each call guesses its steps from the last one
        assert np.array_equal(outside(~walls, region), ~walls)


def test_threads_do_not_share_the_memory_of_their_floods() -> None:
    walls = [noise(width, 9, 2_000, 0.7) for width in (9, 12, 15, 18)]
    alone = [enclosed(each) for each in walls]
    with ThreadPoolExecutor(len(walls)) as threads:
        for _ in range(10):
            together = list(threads.map(enclosed, walls))
            assert all(map(np.array_equal, alone, together))
