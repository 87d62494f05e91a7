"""The protocol between referee and bot, exactly that of CodinGame.

Once, before the first round: the number of opponents.

Each round: the number of the round, which a BACK lowers; ``x y back`` of the bot itself and of each opponent, where
back is 1 while the BACK is left; the rows of the grid, ``.`` for neutral cells or the number of the owner. Each bot has
the number 0 in its own questions, and seat 0 has that bot's number there; the others keep theirs. Opponents come in the
order of these numbers. A seat that is out of the match has the line ``-1 -1 0``, and keeps its cells.

Answer, one line: ``x y``, a cell to go towards, first in x, one step a round; or ``BACK k``, k from 1 to 25. After one
space, any message of printable ASCII may follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.game import IllegalAnswer, quoted
from games.back_to_the_code.state import BACK_MAX, MARK_BITS, SEATS_MAX, Action, State, coordinates

FIRST_CPU_MS = 1_000
"""CPU time for the first answer."""
CPU_MS = 150
"""CPU time for every further answer. Bots are promised 100: the contest's referee waited half as long again."""

_ORDER = re.compile(r"(?:(-?[0-9]{1,9})|BACK) +(-?[0-9]{1,9})(?: [ -~]+)?", re.ASCII | re.IGNORECASE)


def _characters(reader: int) -> NDArray[np.uint8]:
    """Return (8,): the character of a cell for each mark, in questions to the seat ``reader``."""
    numbers = list(range(SEATS_MAX))
    numbers[0], numbers[reader] = reader, 0
    return np.frombuffer(("." + "".join(map(str, numbers))).encode().ljust(8, b"?"), np.uint8)


_CHARACTERS = [_characters(seat) for seat in range(SEATS_MAX)]


class Refusal(IllegalAnswer):
    """An answer that puts its seat out of the match; ``reason`` is the one that the contest's referee gives."""

    def __init__(self, reason: str, kind: str, /, **args: Any) -> None:
        super().__init__(kind, **args)
        self.reason = reason


def introduction(state: State, b: int, seat: int) -> list[str]:
    """Return the lines that a bot reads before the first round."""
    return [str(len(state.spots) - 1)]


def observation(state: State, b: int, seat: int) -> list[str]:
    """Return the lines of a question."""
    lines = [f"{x} {y} {back}" if not out else "-1 -1 0" for x, y, back, out in seats(state, b)]
    lines[0], lines[seat] = lines[seat], lines[0]
    return [str(state.completed[b] + 1), *lines, *rows(state, b, seat)]


def seats(state: State, b: int) -> list[list[int]]:
    """Return ``x y back out`` of each seat; one that is out has its last place."""
    spots, backs, out = state.spots[:, b].tolist(), state.backs[:, b].tolist(), state.out[:, b].tolist()
    return [
        [*coordinates(state, spot), int(back), int(gone)] for spot, back, gone in zip(spots, backs, out, strict=True)
    ]


def rows(state: State, b: int, reader: int = 0) -> list[str]:
    """Return the rows of the grid of board b, a character for each cell, as the seat ``reader`` sees them.

    The protocol gives every reader the number 0: in its rows the reader and seat 0 have swapped their numbers.
    """
    height, width = state.grid
    marks = state.cells[b].reshape(height + 2, width + 2)[1:-1, 1:-1] & MARK_BITS
    text = _CHARACTERS[reader].take(marks).tobytes().decode()
    return [text[start : start + width] for start in range(0, len(text), width)]


def offered(state: State, b: int, seat: int, actions: Sequence[int]) -> list[str]:
    """Return the answers that actions of a seat stand for: cells at most one step away, and BACKs."""
    x, y = coordinates(state, int(state.spots[seat, b]))
    steps = f"{x} {y}", f"{x - 1} {y}", f"{x + 1} {y}", f"{x} {y - 1}", f"{x} {y + 1}"  # by the numbers of ``Action``
    return [steps[action] if action < len(steps) else f"BACK {action - Action.BACK}" for action in actions]


def parse(state: State, b: int, seat: int, lines: Sequence[str]) -> NDArray[np.int16]:
    """Return the number of the ``Action`` that an answer stands for.

    Raises:
        IllegalAnswer: the answer has not one line.
        Refusal: the line is malformed or not allowed.
    """
    if len(lines) != 1:
        raise IllegalAnswer("one-line", count=len(lines))
    match = _ORDER.fullmatch(lines[0])
    if match is None:
        raise Refusal("InvalidInput format", "no_order", answer=quoted(lines[0]))
    if match[1] is None:
        return np.array(_back(state, b, seat, int(match[2])), np.int16)
    return np.array(_towards(state, b, seat, int(match[1]), int(match[2])), np.int16)


def _back(state: State, b: int, seat: int, rounds: int) -> int:
    if not 1 <= rounds <= BACK_MAX:
        raise Refusal("InvalidInput backRounds", "back_too_far", rounds=rounds, most=BACK_MAX)
    if not state.backs[seat, b]:
        raise Refusal("noBackInTimeLeft", "second_back")
    return Action.BACK + rounds


def _towards(state: State, b: int, seat: int, x: int, y: int) -> Action:
    height, width = state.grid
    if not 0 <= x < width:
        raise Refusal("InvalidInput x", "off_board", axis="x", value=x, most=width - 1)
    if not 0 <= y < height:
        raise Refusal("InvalidInput y", "off_board", axis="y", value=y, most=height - 1)
    own_x, own_y = coordinates(state, int(state.spots[seat, b]))
    if x != own_x:
        return Action.LEFT if x < own_x else Action.RIGHT
    if y != own_y:
        return Action.UP if y < own_y else Action.DOWN
    return Action.STAY
