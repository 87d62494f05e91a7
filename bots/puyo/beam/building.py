"""Builds chains by beam search: of all fields that come out of a pair, only the best few are followed further.

A field is worth most by its *potential*: the longest chain that a few more puyos of one colour would set off somewhere.
This looks further ahead than any search over pairs. It costs much, so that a cheap look at shape and connections first
tells which fields deserve it.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

from puyo import COLUMNS, Field, Pair, Placement, around, drop, heights, is_dead, placements, popping, resolve

WIDTH = 14
"""Fields that are followed further."""
NODES = 60
"""Fields whose potential is asked for, of each pair."""
DISHES = (1, 0, 0, 0, 0, 1)
"""How much higher than the mean each column should be: puyos slide to the middle, where chains turn round."""
PUYOS_MAX = 3
"""So many more of one colour may be needed to set off a chain."""


@dataclass(frozen=True)
class Node:
    """A field that can be reached, and how."""

    value: float
    start: Placement
    """The placement to begin with."""
    lost: float
    """What was wasted on the way."""
    field: Field


def build(field: Field, pairs: list[Pair], end: float) -> Placement:
    """Return the placement with which the most promising line begins.

    Args:
        field: as it is now.
        pairs: the known ones.
        end: CPU time at which it must be ready.
    """
    level = best_of([Node(0.0, start, 0.0, field) for start in placements(field)], pairs[0], end, first=True)
    answer = level[0].start if level else placements(field)[0]
    for pair in pairs[1:]:
        level = best_of(level, pair, end)
        if not level or time.process_time() > end:
            break
        answer = level[0].start
    return answer


def best_of(level: list[Node], pair: Pair, end: float, *, first: bool = False) -> list[Node]:
    """Return the best fields one pair further, the best one first."""
    reached = {node.field: node for before in level for node in after(before, pair, first=first)}
    promising = sorted(reached.values(), key=lambda node: node.value, reverse=True)[:NODES]
    found = []
    for node in promising:
        found.append(Node(node.value + potential(node.field), node.start, node.lost, node.field))
        if time.process_time() > end:
            break
    return sorted(found, key=lambda node: node.value, reverse=True)[:WIDTH]


def after(node: Node, pair: Pair, *, first: bool) -> Iterator[Node]:
    """Return the fields one pair further, with a cheap value."""
    for placement in [node.start] if first else placements(node.field):
        field, steps, _ = drop(node.field, pair, placement)
        if not is_dead(field):
            lost = node.lost + 400 * steps
            yield Node(shape(field) - lost, node.start, lost, field)


def shape(field: Field) -> float:
    """Return what shape and connections are worth."""
    columns = heights(field)
    mean = sum(columns) / COLUMNS
    uneven = sum(abs(height - mean - dish) for height, dish in zip(columns, DISHES, strict=True))
    linked = sum((cells & cells << 1).bit_count() + (cells & cells << 16).bit_count() for cells in field[1:])
    return 60 * linked - 60 * uneven - 500 * max(columns[2] - 9, 0)


def potential(field: Field) -> float:
    """Return what the longest chain is worth that puyos of one colour on one column would set off."""
    best = 0.0
    for x, height in enumerate(heights(field)):
        for puyos in range(1, min(PUYOS_MAX, 12 - height) + 1):
            cells = ((1 << puyos) - 1) << 16 * x + height
            near = around(cells)
            for colour in range(1, 5):
                if near & field[colour] and popping(more := field[colour] | cells):
                    steps = resolve((*field[:colour], more, *field[colour + 1 :]))[1]
                    best = max(best, 1000.0 * steps - 200.0 * puyos)
    return best
