"""The protocol between referee and bot: lines of text, one item each.

Once, before the first question: ``R 100 bid`` or ``R 100 order``: the bot's colour, the chips, the mode.

A round begins with these lines::

    BID 7 0            the round, from 1; 1 in the Attack Chance
    .....              five rows: . R G W B
    .....
    ..R..
    .....
    .....
    100 100 100 100    chips of R G W B, as far as they play (order mode: 0)
    R G W B            the colours as they win ties, first to last (order mode: the present bag)
    13 R 5 0 0 2       last round: panel, colour, bids; then the panel emptied, if one was

The last line is ``0 - 0 0 0 0`` in the first round. In bid mode all seats get these lines and answer their bid, ``n``.
Then the winner alone gets ``PICK 7 0 1 3,8,18``: round, 1 in the Attack Chance, the class of the panels that it may
take, and these panels. It answers the panel, ``c``, or in the Attack Chance ``c e``, where e is the panel to empty, one
that has an owner after panels have turned over. In order mode only the seat that is to pick is asked: it gets the lines
of the round and the line ``PICK`` together, and answers the pick.

``rules`` says what follows from an answer that is missing, malformed or not allowed; the seat goes on playing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.attack25.panels import Plane, board
from games.attack25.rules import INVALID, NOTHING
from games.attack25.state import CHIPS, COLOURS, State

FIRST_CPU_MS = 1_000
"""CPU time for the first answer of a seat."""
CPU_MS = 100
"""CPU time for every further answer."""

_NUMBER = re.compile(r"[0-9]{1,9}")


def introduction(state: State, b: int, seat: int) -> list[str]:
    """Return the line that a bot reads before its first question."""
    return [f"{COLOURS[seat]} {CHIPS} {'bid' if state.auction else 'order'}"]


def observation(state: State, b: int, seat: int) -> list[str]:
    """Return the lines of a question."""
    if not state.picking:
        return list(_round(state, b))
    pick = f"PICK {_heading(state)} {kind(state, b)} {','.join(map(str, legal(state, b)))}"
    return [pick] if state.auction else [*_round(state, b), pick]


def cpu_ms(state: State, b: int, seat: int) -> int:
    """Return the CPU time of an answer in milliseconds, which is longer for the first."""
    first = state.played == 0 if state.auction else state.played < len(state.owned)
    return FIRST_CPU_MS if first else CPU_MS


def parse(state: State, b: int, seat: int, lines: Sequence[str]) -> NDArray[np.int16]:
    """Return the action (2,) of an answer, 16 bits each.

    It is a bid and ``NOTHING``, or the panels to take and to empty; ``INVALID`` twice for any other answer.
    """
    numbers = _numbers(lines)
    if state.picking:
        panel, erased, *_ = *numbers, NOTHING, NOTHING
        answered = len(numbers) == 1 + state.chance
        possible = not state.chance or erased == panel or erased in owned(state, b)
        if answered and possible and panel in legal(state, b):
            return np.array([panel, erased], np.int16)
    elif len(numbers) == 1 and numbers[0] <= state.chips[seat, b]:
        return np.array([numbers[0], NOTHING], np.int16)
    return np.full(2, INVALID, np.int16)


def _numbers(lines: Sequence[str]) -> list[int]:
    """Return the numbers of an answer; [] if it is not one line, or has anything but numbers."""
    words = lines[0].split() if len(lines) == 1 else []
    return [int(word) for word in words] if all(map(_NUMBER.fullmatch, words)) else []


def rows(state: State, b: int) -> list[str]:
    """Return the five rows of the board."""
    text = panels(state, b)
    return [text[start : start + 5] for start in range(0, len(text), 5)]


@lru_cache(maxsize=1)  # questions and frame of a turn use the same text
def panels(state: State, b: int) -> str:
    """Return the colours of the owners of the 25 panels as text, ``.`` where there is none."""
    return drawn(state.owned, b)


def drawn(owned: Plane, b: int) -> str:
    """Return the colours of the owners of the 25 panels as text, given the plane of each colour."""
    flags = board(owned, b)[:, 1:]
    codes = np.arange(1, len(flags) + 1, dtype=np.uint8) @ flags
    return "".join(map(f".{COLOURS}".__getitem__, codes.tolist()))


def owned(state: State, b: int) -> list[int]:
    """Return the numbers of the panels that have an owner."""
    return _members(np.bitwise_or.reduce(board(state.owned, b), axis=0))


def legal(state: State, b: int) -> list[int]:
    """Return the numbers of the panels that the mover may take."""
    return _members(board(state.legal, b))


def kind(state: State, b: int) -> int:
    """Return the ``Class`` of the panels that the mover may take."""
    return int(board(state.classes, b).argmax())


def order(state: State, b: int) -> list[str]:
    """Return the colours as they win ties or, in order mode, as they are in the bag."""
    return [COLOURS[seat] for seat in state.order[:, b].tolist()]


def _members(flags: NDArray[Any]) -> list[int]:
    numbers: list[int] = np.flatnonzero(flags).tolist()
    return numbers


def _heading(state: State) -> str:
    return f"{state.takes + 1} {int(state.chance)}"


@lru_cache(maxsize=1)  # all seats are asked with the same lines
def _round(state: State, b: int) -> tuple[str, ...]:
    """Return the lines at the beginning of a round."""
    panel, taker, erased = (int(each[b]) for each in (state.taken, state.taker, state.erased))
    words = [panel, COLOURS[taker] if panel else "-", *state.bids[:, b].tolist(), *([erased] if erased else [])]
    return (
        f"BID {_heading(state)}",
        *rows(state, b),
        " ".join(map(str, state.chips[:, b].tolist())),
        " ".join(order(state, b)),
        " ".join(map(str, words)),
    )
