"""The protocol between referee and bot: lines of text.

Tsu. Once: ``seat ticks rate step_ticks`` (400, 70 and 1). Each time a pair is to be placed: ``tick rate``; then for the
bot itself, and after that for the opponent: three lines ``axis child``, the present pair first; one line
``score pending fixed carry all_clear chain_step`` (0 if no chain runs); 13 rows, the hidden one first, with ``.`` for
empty cells, ``0`` for garbage, ``1`` to ``4`` for colours. Answer: ``x r``, the column of the axis from 0, and 0, 1, 2
or 3 for the child above, right, below or left of it. While its chain runs, a bot is not asked.

Smash the Code, exactly as CodinGame's: each turn eight lines ``a b``, the present pair first; score and 12 rows of the
bot itself, score and 12 rows of the opponent. That is the protocol of the later multiplayer game; in the contest of May
2016 (``smash_the_code_contest``) there were no lines with scores, so that a question had 32 lines instead of 34.
Answer: ``x rotation``, the column of ``a``, and 0, 1, 2 or 3 for ``b`` right, above, left or below. ``x`` alone stands
for ``x 1``: bots of the contest's first league answer so.

After an answer and a space, any message may follow; it is shown nowhere, but is part of the replay.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.game import IllegalAnswer, quoted
from games.puyo.field import COLUMNS, TSU, heights, rows
from games.puyo.placements import ASIDE, PLACEMENTS, reachable
from games.puyo.state import PREVIEW, SEATS, TICKS, State
from games.puyo.tsu import RATE, rate

FIRST_CPU_MS = 1_000
"""CPU time for the first answer."""
CPU_MS = 100
"""CPU time for every further answer."""
STEP_TICKS = 1
"""Ticks that a step of a chain takes."""

_ROTATION_LEFT_OUT = 1
"""In Smash the Code, a column alone puts the pair upright, the first block below: bots of its first league do so."""
_ANSWER = re.compile(r"([0-9]{1,9}) ([0-9]{1,9})(?: .*)?", re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,9}")
_LIKE_NUMBER = re.compile(r"[-+.]?[0-9]")
_SMASH_TURN = 1
"""A rotation of Smash the Code is the turn with this bit inverted."""


def introduction(state: State, b: int, seat: int) -> list[str]:
    """Return the lines that a bot reads before the first question."""
    return [] if state.smash else [f"{seat} {TICKS[TSU]} {RATE} {STEP_TICKS}"]


def observation(state: State, b: int, seat: int) -> list[str]:
    """Return the lines of a question."""
    halves = _halves(state, b)
    first = [*map(_joined, pairs(state, b)[seat])] if state.smash else [f"{state.tick[b]} {rate(state.tick[b])}"]
    return [*first, *halves[seat], *halves[SEATS - 1 - seat]]


@lru_cache(maxsize=1)  # both seats are asked with the same lines
def _halves(state: State, b: int) -> list[list[str]]:
    """Return the lines about each seat, which both seats get."""
    fields = pictures(state, b)
    if state.smash:
        scores = [[] if state.contest else [str(score)] for score in state.score[:, b]]
        return [[*scores[seat], *fields[seat]] for seat in range(SEATS)]
    known, numbers = pairs(state, b), _numbers(state, b)
    return [[*map(_joined, known[seat]), _joined(numbers[seat]), *fields[seat]] for seat in range(SEATS)]


@lru_cache(maxsize=1)  # questions and frame of a tick use the same text
def pictures(state: State, b: int) -> tuple[tuple[str, ...], ...]:
    """Return the rows of the field of each seat."""
    lines = tuple(rows(state.rules, state.fields[:, :, b]))
    return tuple([lines[start : start + state.rules.rows] for start in range(0, len(lines), state.rules.rows)])


def pairs(state: State, b: int) -> list[list[list[int]]]:
    """Return the known pairs of each seat."""
    at = (state.index[:, b, None] + np.arange(PREVIEW[state.rules])) % len(state.supply.pairs)
    known: list[list[list[int]]] = state.supply.pairs[at, :, b].tolist()
    return known


def _numbers(state: State, b: int) -> list[list[int]]:
    """Return the numbers in the line of each seat, see the protocol."""
    arrays = state.score, state.pending, state.fixed, state.carry, state.all_clear, state.chain
    numbers: list[list[int]] = np.array([array[:, b] for array in arrays]).T.tolist()
    return numbers


def parse(state: State, b: int, seat: int, lines: Sequence[str]) -> NDArray[np.int64]:
    """Return the placement (2,) that an answer stands for: column of the axis and turn.

    Raises:
        IllegalAnswer: the answer is not one line with two numbers, or the pair cannot be placed there.
    """
    if len(lines) != 1:
        raise IllegalAnswer("one-line", count=len(lines))
    x, r = (_smash_numbers if state.smash else _tsu_numbers)(lines[0])
    if x >= COLUMNS or r >= len(ASIDE):
        raise IllegalAnswer("out_of_range", answer=f"{x} {r}", most=COLUMNS - 1)
    turn = r ^ _SMASH_TURN if state.smash else r
    _check(state, b, seat, (x, turn), f"{x} {r}")
    return np.array([x, turn])


def _tsu_numbers(line: str) -> tuple[int, int]:
    match = _ANSWER.fullmatch(line)
    if match is None:
        raise IllegalAnswer("no_numbers", answer=quoted(line))
    return int(match[1]), int(match[2])


def _smash_numbers(line: str) -> tuple[int, int]:
    """Return column and rotation as public bots write them: with any blanks, and a message or none behind.

    Raises:
        IllegalAnswer: the line begins with no column, or with one and a rotation that is no whole number.
    """
    x, r, *_ = [*line.split(maxsplit=2), "", ""]
    if not _NUMBER.fullmatch(x) or (_LIKE_NUMBER.match(r) and not _NUMBER.fullmatch(r)):
        raise IllegalAnswer("no_numbers", answer=quoted(line))
    return int(x), int(r) if _NUMBER.fullmatch(r) else _ROTATION_LEFT_OUT


def _check(state: State, b: int, seat: int, placement: tuple[int, int], answer: str) -> None:
    if placement not in PLACEMENTS:
        raise IllegalAnswer("beyond_edge", answer=answer)
    if state.smash:
        return  # whether the pair fits depends on the skulls, which fall first
    levels = heights(TSU, state.fields[:, seat, b])
    if not reachable(levels[:, None])[PLACEMENTS.index(placement), 0]:
        raise IllegalAnswer("unreachable", answer=answer, heights=_joined(levels.tolist()))


def answer(state: State, placement: tuple[int, int]) -> str:
    """Return the line by which a bot answers with a placement (column of the axis, turn): the inverse of ``parse``."""
    x, turn = placement
    return f"{x} {turn ^ _SMASH_TURN if state.smash else turn}"


def _joined(items: Sequence[object]) -> str:
    return " ".join(map(str, items))
