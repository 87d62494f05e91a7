"""The rules of Tron: crashes, places and commentary, and all boards of a batch against plain Python."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from banzuke_tron import Tron, frames
from banzuke_tron.rules import DIRECTIONS, STEPS, State, coordinates, first_state, step

from banzuke.sdk import Event, bot

LETTERS = [name[0] for name in DIRECTIONS]


def played(starts: Sequence[tuple[int, int]], *turns: str) -> tuple[State, list[Event]]:
    """Play on 6 x 5 cells, by the first letters of all seats' directions; return the last state and its events."""
    states = [first_state([starts], (5, 6))]
    for turn in turns:
        states.append(step(states[-1], np.array([[LETTERS.index(letter)] for letter in turn])))
    seen = [frames.frame(state, 0) for state in states]
    return states[-1], frames.commentary(frames.setting(states[0], 0), seen)


def happened(events: list[Event]) -> list[tuple[str, int | None, dict[str, object]]]:
    return [(event["kind"], event["seat"], event["args"]) for event in events]


@pytest.mark.parametrize(
    ("starts", "turns", "events", "ranks"),
    [
        ([(0, 0), (3, 3)], ["UD"], [("into-wall", 0, {})], [2, 1]),
        ([(5, 4), (3, 3)], ["RD"], [("into-wall", 0, {})], [2, 1]),
        ([(1, 1), (4, 4)], ["RL", "LL"], [("into-own-trail", 0, {})], [2, 1]),
        ([(1, 1), (2, 4)], ["RU", "RU", "DU"], [("into-trail", 1, {"other": bot(0)})], [1, 2]),
        ([(1, 1), (2, 1)], ["UL"], [("into-trail", 1, {"other": bot(0)})], [1, 2]),
        ([(1, 1), (3, 1)], ["RL"], [("head-on", 0, {"count": 2, "other": bot(1)})], [1, 1]),
        (
            [(1, 1), (2, 1)],
            ["RL"],
            [("into-trail", 0, {"other": bot(1)}), ("into-trail", 1, {"other": bot(0)})],
            [1, 1],
        ),
        (
            [(1, 1), (3, 1), (2, 2), (5, 4)],
            ["RLUU"],
            [("head-on", 0, {"count": 3, "other": bot(1), "third": bot(2)})],
            [2, 2, 2, 1],
        ),
        (
            [(0, 0), (2, 2), (5, 4)],
            ["LUU"],
            [("into-wall", 0, {}), ("last-two", 1, {"other": bot(2)})],
            [3, 1, 1],
        ),
        ([(0, 0), (2, 1), (5, 4)], ["LUU", "LUU"], [("into-wall", 1, {})], [3, 2, 1]),
    ],
)
def test_crashes(
    starts: list[tuple[int, int]],
    turns: list[str],
    events: list[tuple[str, int | None, dict[str, object]]],
    ranks: list[int],
) -> None:
    state, told = played(starts, *turns)
    assert happened(told) == events
    assert Tron().ranks(state)[0].tolist() == ranks
    assert state.over[0] == (state.riding.sum() <= 1)


def test_a_trail_stays_after_its_seat_has_crashed() -> None:
    state, told = played([(1, 2), (1, 0), (5, 4), (0, 4)], "RUUU", "UDUU", "UDLU")
    assert ("into-wall", 1, {}) not in happened(told)
    assert frames.frame(state, 0)["crashes"][1] == [1, 1, -1, "wall"]
    state, told = played([(1, 1), (1, 0), (5, 4)], "RUU", "UUU", "LUU")
    assert ("into-trail", 0, {"other": bot(1)}) in happened(told)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_seats_start_apart_and_alike(players: int) -> None:
    """Each seat is as far from the rim as any other; all differ."""
    state = Tron().reset(range(200), players)
    for b in range(200):
        places = [coordinates(state, spot) for spot in state.heads[:, b].tolist()]
        assert len(set(places)) == players
        assert len({(min(x, 29 - x), min(y, 19 - y)) for x, y in places}) == 1
    assert len({tuple(heads) for heads in state.heads.T.tolist()}) > 50


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_batch_plays_as_plain_python_does(players: int) -> None:
    game, rng, boards = Tron(), np.random.default_rng(0), 40
    state = game.reset(range(boards), players, {"width": 12, "height": 8})
    plain = [Plain([coordinates(state, spot) for spot in state.heads[:, b].tolist()], (12, 8)) for b in range(boards)]
    while not game.over(state).all():
        legal = game.legal(state)
        allowed = legal | (rng.random((*legal.shape[:2], 1)) < 0.03)  # now and then also what crashes
        actions = (allowed * rng.random(legal.shape)).argmax(axis=-1)
        state = game.step(state, actions)
        for b, board in enumerate(plain):
            if not board.over:
                board.step(actions[b].tolist())
            assert (game.ranks(state)[b].tolist(), game.scores(state)[b].tolist()) == (board.ranks(), board.lengths)
            assert game.over(state)[b] == board.over


class Plain:
    """One board by the same rules, in plain Python."""

    def __init__(self, starts: list[tuple[int, int]], size: tuple[int, int]) -> None:
        self.heads, self.size, self.turn = list(starts), size, 0
        self.trails = set(starts)
        self.lengths = [0] * len(starts)
        self.crashed = [0] * len(starts)

    @property
    def over(self) -> bool:
        return self.crashed.count(0) <= 1

    def step(self, actions: list[int]) -> None:
        self.turn += 1
        nexts = {
            seat: (x + STEPS[actions[seat]][0], y + STEPS[actions[seat]][1])
            for seat, (x, y) in enumerate(self.heads)
            if not self.crashed[seat]
        }
        trails = set(self.trails)
        for seat, (x, y) in nexts.items():
            inside = 0 <= x < self.size[0] and 0 <= y < self.size[1]
            if not inside or (x, y) in trails or list(nexts.values()).count((x, y)) > 1:
                self.crashed[seat] = self.turn
            else:
                self.heads[seat] = x, y
                self.trails.add((x, y))
                self.lengths[seat] += 1

    def ranks(self) -> list[int]:
        worth = [turn or 10_000 for turn in self.crashed]
        return [1 + sum(other > own for other in worth) for own in worth]
