"""Drawings, conversation and numbers of the guide page on Tron."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from banzuke.sdk import BoardDrawing, Cell, Figure, Material, Place, Question, Script, board_of
from banzuke_tron import Options, protocol
from banzuke_tron.rules import DIRECTIONS, State, coordinates, first_state, step

SEATS = "ABCD"
Turn = str
"""The first letters of the directions of all seats in a turn, such as ``RL``."""


def played(size: Place, starts: Sequence[Place], turns: Sequence[Turn]) -> list[State]:
    """Return the states of a small match: the first one, then the one after each turn.

    ``size`` is W and H; ``starts`` has the cell on which each seat starts.
    """
    states = [first_state([starts], (size[1], size[0]))]
    letters = [name[0] for name in DIRECTIONS]
    for turn in turns:
        states.append(step(states[-1], np.array([[letters.index(letter)] for letter in turn])))
    return states


def board(state: State, label: str = "") -> BoardDrawing:
    """Return the drawing of a position: trails, the seats at their heads, a frame round the cells of crashes."""
    heads = {coordinates(state, spot): seat for seat, spot in enumerate(state.heads[:, 0].tolist())}
    hit = {coordinates(state, spot) for spot in state.crash_spot[state.crash_turn[:, 0] > 0, 0].tolist()}

    def cell(tile: str, at: Place) -> Cell:
        head = heads.get(at)
        ground, owner = ("neutral", "") if tile == "." else (f"wall-{tile}", SEATS[int(tile)])
        if head is None:
            return Cell(ground, owner, marked=at in hit)
        return Cell(ground, SEATS[head], piece=f"seat-{head}", marked=at in hit)

    return board_of(protocol.rows(state, 0), cell, label)


def _ride() -> Figure:
    states = played((5, 4), [(0, 0), (4, 3)], ["RL", "RU", "DU", "LR"])
    return Figure((board(states[0], "1"), board(states[2], "3"), board(states[4], "5")))


def _crashes() -> Figure:
    trail = played((6, 4), [(0, 1), (3, 0)], ["RD", "RD", "RD"])[-1]
    own = played((6, 4), [(2, 1), (5, 3)], ["RU", "DU", "LU", "UL"])[-1]
    head_on = played((6, 4), [(0, 2), (4, 2)], ["RL", "RL"])[-1]
    return Figure((board(trail, "1"), board(own, "2"), board(head_on, "3")), steps=False)


def _space() -> Figure:
    up = played((9, 5), [(0, 2), (8, 2)], ["RL", "RL", "RL", "DU", "DU"])
    return Figure((board(up[3], "4"), board(up[5], "6")))


FIGURES = {"ride": _ride, "crashes": _crashes, "space": _space}

TURN = Question((("turn", 1), ("heads", 2), ("rows", Options().height), ("count", 1), ("moves", 0)))
SCRIPT = Script(
    introduction=(("match", 1),),
    shown={1: TURN, 3: TURN},
    own=(("RIGHT",), ("RIGHT",), ("DOWN",)),
    others=(("LEFT",), ("LEFT",), ("UP",)),
    seed=0,
)

MATERIAL = Material(
    FIGURES,
    SCRIPT,
    {
        "first_cpu_ms": protocol.FIRST_CPU_MS,
        "cpu_ms": protocol.CPU_MS,
        "width": Options().width,
        "height": Options().height,
    },
)
