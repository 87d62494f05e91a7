"""Puts observations for learning together from planes: one for each property of cells, one for each number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]


def stacked(size: tuple[int, int], cells: Iterable[Values], numbers: Iterable[Values]) -> NDArray[np.int32]:
    """Return planes (B, C, H, W): those of the cells, then for each number a plane that has it everywhere.

    ``size`` is H and W; ``cells`` are arrays (.., H, W, B), ``numbers`` arrays (.., B).
    """
    height, width = size
    boards = [array.reshape(-1, height, width, array.shape[-1]) for array in cells]
    flat = [array.reshape(-1, array.shape[-1]) for array in numbers]
    count = sum(map(len, boards))
    planes = np.empty((count + sum(map(len, flat)), height, width, boards[0].shape[-1]), np.int32)
    np.concatenate(boards, out=planes[:count], casting="unsafe")
    for plane, values in zip(planes[count:], (values for array in flat for values in array), strict=True):
        plane[:] = values
    return np.ascontiguousarray(planes.transpose(3, 0, 1, 2))
